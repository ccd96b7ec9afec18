import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { CommandData, CommandResult, CommandType } from '@cairn/contracts';
import { AppError, systemClock } from '@cairn/kernel';
import type { CairnPort } from '../cairn.port.js';
import { toolFailure } from '../failure.js';
import { InMemoryPages } from '../page.fake.js';
import { remember } from './remember.tool.js';

type Sent = CommandData<'item.remember'>;

const STORED: CommandResult<'item.remember'> = {
  outcome: 'stored',
  itemId: 'src789',
  folder: 'book-notes',
  chunkCount: 2,
  position: 7,
};

const call = async (args: unknown, answer: CommandResult<'item.remember'> = STORED) => {
  const sent: Sent[] = [];
  const cairn = {
    command: (type: CommandType, data: unknown) => {
      expect(type).toBe('item.remember');
      sent.push(data as Sent);
      return Promise.resolve(answer);
    },
    query: () => Promise.reject(new Error('remember asks nothing')),
  } as unknown as CairnPort;
  const given = await remember.call(args, { cairn, clock: systemClock, pages: new InMemoryPages() });
  return { ...given, sent: sent[0]! };
};

const failureOf = async (answer: Promise<unknown>) => {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return toolFailure(error as AppError, 'c-1');
};

const WAITING = { outcome: 'waiting', confirmationId: 'conf-1', position: 3 } as const;

describe('remember', () => {
  it('[N-23] answers with the ids, the slug and the number of chunks', async () => {
    const { structured, text } = await call({ text: 'x', target_engram: 'Book Notes', label: 'L' });
    expect(structured).toEqual({ sourceId: 'src789', graphId: 'book-notes', nodeCount: 2, position: 7 });
    expect(text).toBe('Remembered "L" in book-notes as src789.');
  });

  it('[N-18] [N-19] [N-21] passes slug, name and kind on unchanged', async () => {
    expect((await call({ text: 'x', graphId: 'a' })).sent).toMatchObject({ slug: 'a', name: undefined, kind: 'clip' });
    const named = await call({ text: 'x', target_engram: 'A b', kind: 'ai-conversation' });
    expect(named.sent).toMatchObject({ slug: undefined, name: 'A b', kind: 'ai-conversation' });
  });

  it('[N-20] sends no label if none is given, and answers with the beginning of the text', async () => {
    const { sent, text } = await call({ text: 'A secret that may be forgotten\nand more' });
    expect(sent.label).toBeUndefined();
    expect(text).toBe('Remembered "A secret that may be forgotten" in book-notes as src789.');
  });

  it.each([
    [{ text: 'x', graphId: 'a', target_engram: 'A' }, 'graphId'],
    [{ text: ' \n' }, 'text'],
    [{ text: 'x', label: ' ' }, 'label'],
    [{ text: 'x', target_engram: '\t' }, 'target_engram'],
    [{ text: 'x', kind: 'note' }, 'kind'],
    [{ target_engram: 'A' }, 'text'],
    [{ text: 'x', folder: 'A' }, 'folder'],
  ])('[N-17] refuses %j and names %s', async (args, field) => {
    expect((await failureOf(call(args))).structuredContent).toMatchObject({
      code: 'input.invalid',
      field,
      retry: false,
    });
  });

  it('[N-30] [N-32] [N-36] fails with the closest names and their reasons, in fields and in text', async () => {
    const candidates = [
      { name: 'Book Notes', slug: 'book-notes', match: 'close spelling' as const },
      { name: 'Books\nto read', slug: 'books', match: 'same words' as const },
    ];
    const answer = { ...WAITING, reason: 'close' as const, candidates, folders: [] };
    const { structuredContent, content } = await failureOf(call({ text: 'x', target_engram: 'Bok Notes' }, answer));
    expect(structuredContent).toEqual({
      code: 'engram.close_matches',
      message: expect.stringContaining('"Book Notes" (close spelling), "Books to read" (same words)'),
      retry: false,
      suggestedName: 'Bok Notes',
      candidates: [
        { name: 'Book Notes', graphId: 'book-notes', match: 'close spelling' },
        { name: 'Books\nto read', graphId: 'books', match: 'same words' },
      ],
      confirmationId: 'conf-1',
      correlationId: 'c-1',
    });
    expect(content[0]!.text).toMatch(/Nothing is stored yet.*do not call remember again/);
  });

  it('[N-34] [N-36] fails with all names when none is close', async () => {
    const answer = { ...WAITING, reason: 'none' as const, candidates: [], folders: ['Inbox', 'Work'] };
    const { structuredContent } = await failureOf(call({ text: 'x', target_engram: 'Garden' }, answer));
    expect(structuredContent).toMatchObject({
      code: 'engram.not_found',
      retry: false,
      suggestedName: 'Garden',
      engrams: ['Inbox', 'Work'],
      confirmationId: 'conf-1',
    });
  });

  it('publishes every field that its failures carry', () => {
    const { properties } = remember.outputSchema as unknown as { properties: object };
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['sourceId', 'suggestedName', 'candidates', 'engrams', 'confirmationId', 'retry']),
    );
  });
});

describe('all tools', () => {
  it('[N-35] send no command that could create a folder or decide in place of a person', () => {
    const root = new URL('../', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tool.ts'));
    expect(files.length).toBeGreaterThan(5);
    const sent = files.flatMap((file) => [
      ...readFileSync(new URL(file, root), 'utf8').matchAll(/\.command\(\s*(['"`a-z][^,]*),/g),
    ]);
    const types = new Set(sent.map(([, type]) => type!.slice(1, -1)));
    expect([...types].filter((type) => /^(folder|workspace|token|confirmation)\./.test(type))).toEqual([]);
    expect(types).toContain('item.remember');
  });
});
