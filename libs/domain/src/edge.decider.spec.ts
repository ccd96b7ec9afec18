import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '@cairn/contracts';
import { decideObserveChunk, decideObserveText, decideReviewEdge } from './edge.decider.js';
import { admin, after, aWorkspace, by, id, INBOX, NOTES, scoped } from './given.builder.js';
import type { SealedItem } from './item.decider.js';
import { decideMergeEntities, decideSplitEntities } from './merge.decider.js';

const HASH = 'a'.repeat(64);
const ITEM = id(20);
const CHUNK = id(21);

const stored = (folderId: string, inKb = true): DomainEvent => ({
  type: 'item.stored',
  data: {
    itemId: ITEM,
    folderId,
    inKb,
    kind: 'clip',
    confidence: 80,
    sourceKind: 'agent',
    createdByAgentId: 'agent-a',
    expiresAt: null,
    links: [],
    meta: 'bQ==',
    chunkCount: 1,
    chunks: [{ chunkId: CHUNK, ordinal: 0, text: 'dA==', textHash: HASH, tokens: 3 }],
  },
});

const state = after(aWorkspace, [stored(INBOX)]);
const part = { chunkId: CHUNK, textHash: HASH, findings: 'Zg==' };
const observation = { itemId: ITEM, surface: 'rest', origin: 'agent', parts: [part] } as const;

describe('stating relations of a chunk', () => {
  it('appends one op with the chunk, its text hash and the author of the statement', () => {
    const { events, entityId } = decideObserveChunk(state, by(admin, observation));
    expect(entityId).toBe(CHUNK);
    expect(events).toEqual([
      {
        type: 'edge.observed',
        data: { itemId: ITEM, folderId: INBOX, origin: 'agent', extractor: null, ...part },
      },
    ]);
  });

  it('is refused when the text has changed since', () => {
    const old = { ...observation, parts: [{ ...part, textHash: 'b'.repeat(64) }] };
    expect(() => decideObserveChunk(state, by(admin, old))).toThrow(expect.objectContaining({ code: 'edge.stale' }));
  });

  it.each([
    ['another folder', state, scoped(NOTES)],
    ['an item outside the knowledge base', after(aWorkspace, [stored(INBOX, false)]), admin],
    ['nowhere', aWorkspace, admin],
  ])('does not find a chunk in %s', (_, given, principal) => {
    expect(() => decideObserveChunk(given, by(principal, observation))).toThrow(
      expect.objectContaining({ code: 'chunk.not_found' }),
    );
  });

  it('stores a text and its statements in one batch', () => {
    const item: SealedItem = {
      itemId: ITEM,
      command: {
        kind: 'clip',
        inKb: true,
        source: { kind: 'human' },
        surface: 'rest',
        confidence: 100,
        expiresAt: null,
      },
      meta: 'bQ==',
      chunks: [{ chunkId: CHUNK, ordinal: 0, text: 'dA==', textHash: HASH, tokens: 3 }],
    };
    const { events, entityId } = decideObserveText(aWorkspace, by(admin, { item, origin: 'human', parts: [part] }));
    expect(entityId).toBe(ITEM);
    expect(events.map(({ type }) => type)).toEqual(['item.stored', 'edge.observed']);
    expect(events[1]!.data).toMatchObject({ itemId: ITEM, folderId: INBOX, origin: 'human' });
  });

  it("makes forgetting wait until the item's ops are in the library", () => {
    const loaded = { ...state.items.get(ITEM)!, content: { chunkIds: [CHUNK], ops: [] } };
    const before = { ...state, items: new Map([[ITEM, loaded]]) };
    const { events } = decideObserveChunk(before, by(admin, observation));
    expect(after(before, events).items.get(ITEM)!.content!.ops).toBeUndefined();
  });
});

describe('a verdict', () => {
  const evidence = [{ itemId: ITEM, chunkId: CHUNK, edgeRef: HASH }];

  it('is one op for each remaining chunk', () => {
    const gone = { itemId: id(99), chunkId: id(98), edgeRef: HASH };
    const data = { edgeId: id(30), evidence: [...evidence, gone], verdict: 'rejected' as const };
    expect(decideReviewEdge(state, by(admin, data)).events).toEqual([
      { type: 'edge.reviewed', data: { ...evidence[0], verdict: 'rejected' } },
    ]);
  });

  it('is refused for agents', () => {
    const data = { edgeId: id(30), evidence, verdict: 'confirmed' } as const;
    expect(() => decideReviewEdge(state, by(scoped(INBOX), data))).toThrow(
      expect.objectContaining({ code: 'scope.missing' }),
    );
  });

  it('is not found when all chunks of the edge are gone', () => {
    const data = { edgeId: id(30), evidence, verdict: 'confirmed' } as const;
    expect(() => decideReviewEdge(aWorkspace, by(admin, data))).toThrow(
      expect.objectContaining({ code: 'edge.not_found' }),
    );
  });
});

describe('a merge', () => {
  const anchor = { itemId: ITEM, chunkId: CHUNK, name: 'bg==' };
  const merge = { mergeId: id(40), alias: [anchor], canonical: [anchor] };

  it('is one op that can be undone once', () => {
    const { events } = decideMergeEntities(state, by(admin, merge));
    const merged = after(state, events);
    const split = decideSplitEntities(merged, by(admin, { mergeId: id(40) }));
    expect([...events, ...split.events].map(({ type }) => type)).toEqual(['entity.merged', 'entity.split']);
    expect(decideSplitEntities(after(merged, split.events), by(admin, { mergeId: id(40) })).events).toEqual([]);
  });

  it('is refused when an anchor is gone', () => {
    expect(() => decideMergeEntities(aWorkspace, by(admin, merge))).toThrow(
      expect.objectContaining({ code: 'item.not_found' }),
    );
  });

  it('is refused for agents, in either direction', () => {
    for (const decide of [
      () => decideMergeEntities(state, by(scoped(INBOX), merge)),
      () => decideSplitEntities(state, by(scoped(INBOX), { mergeId: id(40) })),
    ])
      expect(decide).toThrow(expect.objectContaining({ code: 'scope.missing' }));
  });

  it('that does not exist is not found', () => {
    expect(() => decideSplitEntities(state, by(admin, { mergeId: id(41) }))).toThrow(
      expect.objectContaining({ code: 'merge.not_found' }),
    );
  });
});
