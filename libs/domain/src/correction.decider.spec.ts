import { describe, expect, it } from '@jest/globals';
import type { StoredChunk } from '@cairn/contracts';
import { decideCorrectChunk, type SealedCorrection } from './correction.decider.js';
import { decideStoreItem } from './item.decider.js';
import { decideUpdateItem } from './placement.decider.js';
import { admin, after, agent, aWorkspace, by, carriedOut, id, INBOX, NOTES, NOW_MS, scoped } from './given.builder.js';

const ITEM = id(20);
const chunk = (n: number): StoredChunk => ({
  chunkId: id(30 + n),
  ordinal: n,
  text: Buffer.from(`sealed ${n}`).toString('base64'),
  textHash: String(n).repeat(64),
  tokens: 3,
});

const stored = (inKb = true) =>
  carriedOut(
    aWorkspace,
    decideStoreItem(
      aWorkspace,
      by(admin, {
        itemId: ITEM,
        meta: 'bWV0YQ==',
        payloadHash: 'a'.repeat(64),
        chunks: [chunk(0), chunk(1)],
        command: {
          inKb,
          kind: 'clip' as const,
          source: { kind: 'agent' as const },
          surface: 'rest',
          confidence: 80,
          expiresAt: null,
        },
      }),
    ),
  );

const correction = (more: Partial<SealedCorrection> = {}): SealedCorrection => ({
  correctionId: id(1_000),
  chunkId: id(31),
  itemId: ITEM,
  agentId: 'agent-a',
  expiresAtMs: NOW_MS + 600_000,
  baseTextHash: chunk(1).textHash,
  text: 'bmV3',
  textHash: 'f'.repeat(64),
  tokens: 5,
  ...more,
});

describe('correcting a chunk', () => {
  it('[N-53] records the old and the new text, and everything that an index needs', () => {
    const { events, entityId } = decideCorrectChunk(stored(), by(admin, correction()));
    expect(entityId).toBe(id(31));
    expect(events).toEqual([
      {
        type: 'chunk.corrected',
        data: {
          chunkId: id(31),
          itemId: ITEM,
          correctionId: id(1_000),
          ordinal: 1,
          oldText: chunk(1).text,
          newText: 'bmV3',
          oldTextHash: chunk(1).textHash,
          textHash: 'f'.repeat(64),
          tokens: 5,
          folderId: INBOX,
          inKb: true,
          superseded: false,
          expiresAt: null,
          meta: 'bWV0YQ==',
        },
      },
    ]);
  });

  it('[N-45] [N-51] is possible for ten minutes, and no longer at the moment they end', () => {
    const just = by(admin, correction(), NOW_MS + 599_999);
    expect(decideCorrectChunk(stored(), just).events).toHaveLength(1);
    expect(() => decideCorrectChunk(stored(), by(admin, correction(), NOW_MS + 600_000))).toThrow(
      expect.objectContaining({ code: 'correction.expired' }),
    );
  });

  it('is refused when the text is not the one that the proposal was based on, also for the second of two racers', () => {
    const state = carriedOut(stored(), decideCorrectChunk(stored(), by(admin, correction())));
    const second = correction({ correctionId: id(1_001), text: 'b3RoZXI=', textHash: 'e'.repeat(64) });
    expect(() => decideCorrectChunk(state, by(admin, second))).toThrow(
      expect.objectContaining({ code: 'correction.stale', message: expect.stringContaining('call correct again') }),
    );
    const onTop = { ...second, baseTextHash: 'f'.repeat(64) };
    expect(decideCorrectChunk(state, by(admin, onTop)).events[0]).toMatchObject({ data: { oldText: 'bmV3' } });
  });

  it.each([
    ['an unknown correction', admin, undefined],
    ['a correction of another agent', agent('agent-b'), correction()],
    ['a correction in a folder out of reach', scoped(NOTES), correction()],
    ['a correction of an item that no longer exists', admin, correction({ itemId: id(77) })],
    ['a correction of a chunk that no longer exists', admin, correction({ chunkId: id(77) })],
  ])('reports %s alike, as not found', (_, principal, data) => {
    expect(() => decideCorrectChunk(stored(), by(principal, data))).toThrow(
      expect.objectContaining({
        code: 'correction.not_found',
        message: 'there is no such correction: call correct for a new one',
      }),
    );
  });

  it('is not found once the folder is sensitive, nor outside the knowledge base for a token that is limited to it', () => {
    const closed = after(stored(), [{ type: 'folder.configured', data: { folderId: INBOX, tier: 'sensitive' } }]);
    for (const principal of [admin, scoped(INBOX)])
      expect(() => decideCorrectChunk(closed, by(principal, correction()))).toThrow(
        expect.objectContaining({ code: 'correction.not_found' }),
      );
    expect(() => decideCorrectChunk(stored(false), by({ ...admin, kbOnly: true }, correction()))).toThrow(
      expect.objectContaining({ code: 'correction.not_found' }),
    );
    expect(decideCorrectChunk(stored(false), by(admin, correction())).events).toHaveLength(1);
  });

  it('gives a re-indexed item its corrected text', () => {
    const state = carriedOut(stored(false), decideCorrectChunk(stored(false), by(admin, correction())));
    const command = { itemId: ITEM, inKb: true };
    const { events } = decideUpdateItem(state, by(admin, { command, reseal: (meta: string) => meta }));
    const texts = [chunk(0), { ...chunk(1), text: 'bmV3', textHash: 'f'.repeat(64), tokens: 5 }];
    expect(events[0]).toMatchObject({ type: 'item.placed', data: { chunks: texts } });
  });
});
