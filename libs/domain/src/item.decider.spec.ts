import { describe, expect, it } from '@jest/globals';
import { CHUNKS_PER_OP_MAX, type StoredChunk } from '@cairn/contracts';
import { after, admin, agent, aWorkspace, by, id, INBOX, NOTES, NOW_MS, scoped } from './given.builder.js';
import { decideStoreItem, type SealedItem } from './item.decider.js';

const chunk = (ordinal: number): StoredChunk => ({
  chunkId: id(10_000 + ordinal),
  ordinal,
  text: 'c2VhbGVk',
  textHash: 'a'.repeat(64),
  tokens: 400,
});

const sealed = (
  itemId: string,
  command: Partial<SealedItem['command']> = {},
  more: Partial<SealedItem> = {},
): SealedItem => ({
  itemId,
  command: {
    inKb: true,
    kind: 'knowledge',
    source: { kind: 'agent' },
    surface: 'rest',
    confidence: 80,
    expiresAt: null,
    ...command,
  },
  meta: 'bWV0YQ==',
  chunks: [chunk(0)],
  ...more,
});

const folderOf = (decision: ReturnType<typeof decideStoreItem>): unknown =>
  (decision.events[0]!.data as { folderId: string }).folderId;

describe('the folder of a new item', () => {
  it('is the default folder when none is named', () => {
    expect(folderOf(decideStoreItem(aWorkspace, by(admin, sealed(id(10)))))).toBe(INBOX);
  });

  it('is the named folder', () => {
    expect(folderOf(decideStoreItem(aWorkspace, by(admin, sealed(id(10), { folderId: NOTES }))))).toBe(NOTES);
  });

  it("is the token's only folder", () => {
    expect(folderOf(decideStoreItem(aWorkspace, by(scoped(NOTES), sealed(id(10)))))).toBe(NOTES);
  });

  it('is the default folder when that is one of several folders of the token', () => {
    expect(folderOf(decideStoreItem(aWorkspace, by(scoped(NOTES, INBOX), sealed(id(10)))))).toBe(INBOX);
  });

  it('must be named when the token has several folders and the default one is not among them', () => {
    const storing = () => decideStoreItem(aWorkspace, by(scoped(NOTES, id(4)), sealed(id(10))));
    expect(storing).toThrow(expect.objectContaining({ code: 'folder.required', details: { field: 'folderId' } }));
  });

  it('may be sensitive for an admin only, and never over MCP; for others it does not exist', () => {
    const state = after(aWorkspace, [{ type: 'folder.configured', data: { folderId: NOTES, tier: 'sensitive' } }]);
    const writer = { ...scoped(NOTES, INBOX), isUnscoped: true, folderIds: [] };
    expect(folderOf(decideStoreItem(state, by(admin, sealed(id(10), { folderId: NOTES }))))).toBe(NOTES);
    const notFound = expect.objectContaining({ code: 'folder.not_found', details: { field: 'folderId' } });
    expect(() => decideStoreItem(state, by(writer, sealed(id(10), { folderId: NOTES })))).toThrow(notFound);
    const byTool = sealed(id(10), { folderId: NOTES, surface: 'mcp' });
    expect(() => decideStoreItem(state, by(admin, byTool))).toThrow(notFound);
    expect(() => decideStoreItem(state, by(scoped(NOTES), sealed(id(10))))).toThrow(
      expect.objectContaining({ code: 'folder.required' }),
    );
  });

  it('is reported as required for a token that has no folder at all', () => {
    expect(() => decideStoreItem(aWorkspace, by(scoped(), sealed(id(10))))).toThrow(
      expect.objectContaining({ code: 'folder.required' }),
    );
  });

  it.each([
    ['one that does not exist', admin, id(404)],
    ['one outside the token', scoped(NOTES), INBOX],
  ])('is refused with the same message: %s', (_, principal, folderId) => {
    expect(() => decideStoreItem(aWorkspace, by(principal, sealed(id(10), { folderId })))).toThrow(
      expect.objectContaining({ code: 'folder.not_found', message: 'there is no such folder' }),
    );
  });
});

describe('a token that is limited to the knowledge base', () => {
  const kbOnly = { ...admin, kbOnly: true };

  it('stores in the knowledge base and nowhere else', () => {
    expect(decideStoreItem(aWorkspace, by(kbOnly, sealed(id(10)))).events).toHaveLength(1);
    expect(() => decideStoreItem(aWorkspace, by(kbOnly, sealed(id(10), { inKb: false })))).toThrow(
      expect.objectContaining({ code: 'item.kb_only', details: { field: 'inKb' } }),
    );
  });
});

describe('a stored item', () => {
  it("records the caller's agent and the source, whatever else is given", () => {
    const { events, entityId } = decideStoreItem(aWorkspace, by(agent('agent-b'), sealed(id(10))));
    expect(entityId).toBe(id(10));
    expect(events).toHaveLength(1);
    expect(events[0]!.data).toMatchObject({ createdByAgentId: 'agent-b', sourceKind: 'agent', chunkCount: 1 });
  });

  it('spreads many chunks over several ops, in order and without repeats', () => {
    const chunks = Array.from({ length: CHUNKS_PER_OP_MAX * 2 + 1 }, (_, i) => chunk(i));
    const { events } = decideStoreItem(aWorkspace, by(admin, sealed(id(10), {}, { chunks })));
    expect(events.map(({ type }) => type)).toEqual(['item.stored', 'item.extended', 'item.extended']);
    const recorded = events.flatMap(({ data }) => (data as { chunks: StoredChunk[] }).chunks);
    expect(recorded).toEqual(chunks);
    expect(events[0]!.data).toMatchObject({ chunkCount: chunks.length });
  });

  it('stores an expiry as UTC', () => {
    const item = sealed(id(10), { expiresAt: '2027-01-01T02:00:00+02:00' });
    const { events } = decideStoreItem(aWorkspace, by(admin, item));
    expect(events[0]!.data).toMatchObject({ expiresAt: '2027-01-01T00:00:00.000Z' });
  });

  it.each([
    ['past', -1],
    ['present', 0],
  ])('refuses an expiry in the %s', (_, offset) => {
    const item = sealed(id(10), { expiresAt: new Date(NOW_MS + offset).toISOString() });
    expect(() => decideStoreItem(aWorkspace, by(admin, item))).toThrow(
      expect.objectContaining({ code: 'knowledge.expires_in_past', details: { field: 'expiresAt' } }),
    );
  });
});
