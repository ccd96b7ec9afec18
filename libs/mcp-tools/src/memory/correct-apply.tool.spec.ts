import { describe, expect, it } from '@jest/globals';
import { CORRECTION_LIFE_MS } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { InMemoryCairn } from '../cairn.fake.js';
import { InMemoryPages } from '../page.fake.js';
import { apply } from './apply.tool.js';
import { correct } from './correct.tool.js';

let now = Date.parse('2027-03-01T12:00:00Z');
const clock = { now: () => now };
const alice = { workspaceId: '0190a1b2-c3d4-7e5f-8a9b-000000000001', agentId: 'alice' };
const bob = { ...alice, agentId: 'bob' };

const withChunk = async (content: string) => {
  const cairn = new InMemoryCairn(clock);
  const item = {
    inKb: true,
    kind: 'clip' as const,
    tags: [],
    source: { kind: 'agent' as const },
    surface: 'mcp' as const,
    confidence: 80,
  };
  const stored = await cairn.as(alice).command('item.store', { ...item, title: 't', text: content, expiresAt: null });
  const call = (tool: typeof correct, args: unknown, who = alice) =>
    tool.call(args, { cairn: cairn.as(who), clock, pages: new InMemoryPages() });
  return { call, chunkId: stored.chunkIds[0]!, itemId: stored.itemId, cairn };
};

const refusal = async (promise: Promise<unknown>): Promise<AppError> => {
  const error = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

describe('correct', () => {
  it('[N-38] [N-42] [N-43] [N-45] answers with both texts, their diff and the expiry time', async () => {
    const { call, chunkId } = await withChunk('The API endpoint is /v1/search.');
    const { structured, text } = await call(correct, { chunkId, proposal: 'The API endpoint is /v2/query.' });
    expect(structured).toEqual({
      correctionId: expect.any(String),
      chunkId,
      originalText: 'The API endpoint is /v1/search.',
      proposedText: 'The API endpoint is /v2/query.',
      diff: '- The API endpoint is /v1/search.\n+ The API endpoint is /v2/query.',
      expiresAt: '2027-03-01T12:10:00.000Z',
    });
    expect(correct.output.parse(structured)).toEqual(structured);
    expect(text).toContain('- The API endpoint is /v1/search.\n+ The API endpoint is /v2/query.');
  });

  it('[N-46] states in its description and in its answer that the user must see the diff first', async () => {
    expect(correct.description).toContain('Always show the diff to the user before calling apply');
    const { call, chunkId } = await withChunk('one');
    expect((await call(correct, { chunkId, proposal: 'two' })).text).toMatch(/Show this diff to the user/);
  });

  it('[N-38] [N-41] [N-42] [N-43] takes the corrected text from the caller, and the proposal as its reason', async () => {
    const { call, chunkId, cairn, itemId } = await withChunk('The API endpoint is /v1/search.');
    const newText = 'The API endpoint is /v3/find.';
    const { structured } = await call(correct, { chunkId, proposal: 'moved in May', newText });
    expect(structured).toMatchObject({
      originalText: 'The API endpoint is /v1/search.',
      proposedText: newText,
      diff: `- The API endpoint is /v1/search.\n+ ${newText}`,
      expiresAt: new Date(now + CORRECTION_LIFE_MS).toISOString(),
    });
    await call(apply, { correctionId: structured['correctionId'] });
    expect((await cairn.as(alice).query('item.get', { itemId, surface: 'mcp' })).content).toBe(newText);
  });

  it('tells the model to prefer newText, which is optional', () => {
    expect(correct.description).toContain('newText');
    expect(correct.inputSchema).toMatchObject({
      required: ['chunkId', 'proposal'],
      properties: { newText: { maxLength: 2_880, description: expect.stringContaining('Prefer to give it') } },
    });
  });

  it.each([
    [{ proposal: 'x' }, 'chunkId'],
    [{ chunkId: 'abc123', proposal: 'x' }, 'chunkId'],
    [{ chunkId: crypto.randomUUID() }, 'proposal'],
    [{ chunkId: crypto.randomUUID(), proposal: '' }, 'proposal'],
    [{ chunkId: crypto.randomUUID(), proposal: 'x'.repeat(2_001) }, 'proposal'],
    [{ chunkId: crypto.randomUUID(), newText: 'x' }, 'proposal'],
    [{ chunkId: crypto.randomUUID(), proposal: 'x', newText: '' }, 'newText'],
    [{ chunkId: crypto.randomUUID(), proposal: 'x', newText: 'x'.repeat(2_881) }, 'newText'],
  ])('[N-40] [N-41] refuses %j and names the field', async (args, field) => {
    const { call } = await withChunk('one');
    expect(await refusal(call(correct, args))).toMatchObject({ code: 'input.invalid', details: { field } });
  });

  it('[N-40] does not find a chunk that does not exist', async () => {
    const { call } = await withChunk('one');
    const args = { chunkId: crypto.randomUUID(), proposal: 'x' };
    expect(await refusal(call(correct, args))).toMatchObject({ code: 'chunk.not_found' });
  });
});

describe('apply', () => {
  const proposed = async () => {
    const given = await withChunk('one');
    const { structured } = await given.call(correct, { chunkId: given.chunkId, proposal: 'two' });
    return { ...given, correctionId: structured['correctionId'] as string };
  };

  it('[N-48] [N-50] commits the proposal, and returns its position in the op-log', async () => {
    const { call, correctionId, chunkId, cairn, itemId } = await proposed();
    const { structured } = await call(apply, { correctionId });
    expect(structured).toEqual({
      chunkId,
      applied: true,
      newEmbeddingComputed: true,
      opLogEventId: expect.any(String),
      position: 2,
    });
    expect((await cairn.as(alice).query('item.get', { itemId, surface: 'mcp' })).content).toBe('two');
    expect((await call(apply, { correctionId })).structured).toEqual(structured);
  });

  it('[N-51] fails once the ten minutes are over', async () => {
    const { call, correctionId } = await proposed();
    now += CORRECTION_LIFE_MS;
    expect(await refusal(call(apply, { correctionId }))).toMatchObject({ code: 'correction.expired' });
  });

  it.each([[{}], [{ correctionId: 'cor001' }], [{ correctionId: 42 }]])('[N-49] refuses %j', async (args) => {
    const { call } = await proposed();
    expect(await refusal(call(apply, args))).toMatchObject({
      code: 'input.invalid',
      details: { field: 'correctionId' },
    });
  });

  it('[N-49] does not find an unknown correction, nor that of another agent', async () => {
    const { call, correctionId } = await proposed();
    const unknown = call(apply, { correctionId: crypto.randomUUID() });
    expect(await refusal(unknown)).toMatchObject({ code: 'correction.not_found' });
    expect(await refusal(call(apply, { correctionId }, bob))).toMatchObject({ code: 'correction.not_found' });
  });
});
