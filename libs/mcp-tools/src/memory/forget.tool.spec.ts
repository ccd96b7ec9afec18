import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { systemClock, uuidV7 } from '@cairn/kernel';
import { InMemoryCairn } from '../cairn.fake.js';
import { InMemoryPages } from '../page.fake.js';
import { findTool } from '../registry.js';

const caller = { workspaceId: '00000000-0000-7000-8000-000000000001', agentId: 'agent-a' };
const cairn = new InMemoryCairn().as(caller);
const context = { cairn, clock: systemClock, pages: new InMemoryPages() };
const forget = (args: object) => findTool('forget')!.call(args, context);

const stored = () =>
  cairn.command('item.store', {
    title: 'T',
    text: 'Some text.',
    inKb: true,
    kind: 'clip',
    tags: [],
    source: { kind: 'agent' },
    surface: 'rest',
    confidence: 80,
    expiresAt: null,
  });

describe('forget', () => {
  it('[N-62] [N-58] removes a source, and lists exactly what is gone', async () => {
    const { itemId } = await stored();
    const { structured, text } = await forget({ sourceId: itemId });
    expect(structured).toEqual({ deleted: true, chunksRemoved: 1, sourceRemoved: true, position: expect.any(Number) });
    expect(text).toMatch(/^Forgotten for good: 1 chunk and the source itself\. Receipt: [0-9a-f-]{36}\.$/);
  });

  it('answers the second time that nothing was deleted, exactly as for an id that never existed', async () => {
    const { itemId, chunkIds } = await stored();
    await forget({ sourceId: itemId });
    const answers: unknown[] = [];
    for (const args of [{ sourceId: itemId }, { chunkId: chunkIds[0] }, { sourceId: uuidV7() }, { chunkId: uuidV7() }])
      answers.push(await forget(args));
    expect(answers[0]).toEqual(
      expect.objectContaining({ structured: { deleted: false, chunksRemoved: 0, sourceRemoved: false } }),
    );
    expect(answers).toEqual(answers.map(() => answers[0]));
  });

  it('fails if the lookup fails', async () => {
    const unavailable = {
      ...cairn,
      command: () => Promise.reject(fail('service.unavailable', 'ingest is unavailable')),
    };
    const asked = findTool('forget')!.call({ sourceId: uuidV7() }, { ...context, cairn: unavailable });
    await expect(asked).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('[N-54] removes a chunk, with or without the source it belongs to', async () => {
    for (const isNamed of [true, false]) {
      const { itemId, chunkIds } = await stored();
      const { structured } = await forget({ chunkId: chunkIds[0], ...(isNamed ? { sourceId: itemId } : {}) });
      expect(structured).toMatchObject({ deleted: true, chunksRemoved: 1 });
    }
  });

  it('does not find a chunk that does not belong to the named source', async () => {
    const [one, other] = [await stored(), await stored()];
    const { structured } = await forget({ chunkId: one.chunkIds[0], sourceId: other.itemId });
    expect(structured).toMatchObject({ deleted: false });
    expect(await cairn.query('item.get', { itemId: one.itemId, surface: 'mcp' })).toMatchObject({ id: one.itemId });
  });

  it('[N-57] requires at least one of the two', async () => {
    await expect(forget({})).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('chunkId or sourceId is required'),
    });
    await expect(forget({ chunkId: 'src456' })).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
