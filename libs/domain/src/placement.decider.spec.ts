import { describe, expect, it } from '@jest/globals';
import { CHUNKS_PER_OP_MAX, type Principal, type StoredChunk } from '@cairn/contracts';
import { after, admin, aWorkspace, by, carriedOut, id, INBOX, NOTES, scoped } from './given.builder.js';
import { decideUpdateItem, type ItemChange } from './placement.decider.js';
import { evolve, type ItemState, type WorkspaceState } from './state.js';

const ITEM = id(50);
const META = 'b2xk';

const chunk = (ordinal: number): StoredChunk => ({
  chunkId: id(10_000 + ordinal),
  ordinal,
  text: 'c2VhbGVk',
  textHash: 'a'.repeat(64),
  tokens: 400,
});

const holding = (more: Partial<ItemState> = {}): WorkspaceState => ({
  ...aWorkspace,
  items: new Map().set(ITEM, {
    id: ITEM,
    folderId: INBOX,
    inKb: true,
    expiresAt: null,
    createdByAgentId: 'agent-a',
    supersededById: null,
    meta: META,
    chunks: [chunk(0), chunk(1)],
    ...more,
  }),
});

const change = (command: Partial<ItemChange['command']>, meta?: string): ItemChange => ({
  command: { itemId: ITEM, ...command },
  reseal: (before) => meta ?? before,
});

const writer: Principal = { ...admin, scopes: ['read', 'write'] };
const kbOnly: Principal = { ...writer, kbOnly: true };

const decide = (state: WorkspaceState, what: ItemChange, principal: Principal = writer) =>
  decideUpdateItem(state, by(principal, what));

const dataOf = (state: WorkspaceState, what: ItemChange, principal?: Principal) =>
  decide(state, what, principal).events[0]!.data;

const sensitive = (state: WorkspaceState, folderId: string): WorkspaceState =>
  after(state, [{ type: 'folder.configured', data: { folderId, tier: 'sensitive' } }]);

describe('changing an item', () => {
  it('moves it without repeating its chunks', () => {
    const { events, entityId } = decide(holding(), change({ folderId: NOTES }));
    expect(entityId).toBe(ITEM);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'item.placed',
      data: { itemId: ITEM, folderId: NOTES, inKb: true, wasInKb: true, meta: META, chunks: [] },
    });
  });

  it('takes it out of the knowledge base without repeating its chunks [G-29]', () => {
    expect(dataOf(holding(), change({ inKb: false }))).toMatchObject({ inKb: false, wasInKb: true, chunks: [] });
  });

  it('repeats its chunks when it enters the knowledge base, and for a new title or new tags', () => {
    const chunks = [chunk(0), chunk(1)];
    expect(dataOf(holding({ inKb: false }), change({ inKb: true }))).toMatchObject({ wasInKb: false, chunks });
    expect(dataOf(holding(), change({}, 'bmV3'))).toMatchObject({ wasInKb: true, meta: 'bmV3', chunks });
  });

  it('does not repeat its chunks for a new title outside the knowledge base', () => {
    expect(dataOf(holding({ inKb: false }), change({}, 'bmV3'))).toMatchObject({ meta: 'bmV3', chunks: [] });
  });

  it('records whether it is superseded, and when it expires', () => {
    const state = holding({ inKb: false, supersededById: id(51), expiresAt: '2027-01-01T00:00:00.000Z' });
    expect(dataOf(state, change({ inKb: true }))).toMatchObject({
      superseded: true,
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
    expect(dataOf(holding(), change({ inKb: false }))).toMatchObject({ superseded: false, expiresAt: null });
  });

  it('spreads many chunks over several ops that are otherwise the same, in order and without repeats', () => {
    const chunks = Array.from({ length: CHUNKS_PER_OP_MAX * 2 + 1 }, (_, i) => chunk(i));
    const { events } = decide(holding({ inKb: false, chunks }), change({ inKb: true, folderId: NOTES }));
    expect(events.map(({ type }) => type)).toEqual(['item.placed', 'item.extended', 'item.extended']);
    expect(events.flatMap(({ data }) => (data as { chunks: StoredChunk[] }).chunks)).toEqual(chunks);
    for (const { data } of events)
      expect(data).toMatchObject({ folderId: NOTES, inKb: true, wasInKb: false, superseded: false });
  });

  it('appends nothing when nothing changes', () => {
    const same = change({ folderId: INBOX, inKb: true }, META);
    expect(decide(holding(), same)).toEqual({ events: [], entityId: ITEM });
  });

  it('leaves the state on which the next command of the group is decided', () => {
    const state = holding();
    const moved = carriedOut(state, decide(state, change({ folderId: NOTES, inKb: false }, 'bmV3')));
    expect(moved.items.get(ITEM)).toMatchObject({ folderId: NOTES, inKb: false, meta: 'bmV3' });
    const back = decide(moved, change({ inKb: true }));
    expect(back.events[0]!.data).toMatchObject({ wasInKb: false, chunks: [chunk(0), chunk(1)] });
    expect(carriedOut(moved, back).items.get(ITEM)!.chunks).toEqual([chunk(0), chunk(1)]);
  });

  it('knows the chunks of an item that was just stored, each of them once', () => {
    const chunks = Array.from({ length: CHUNKS_PER_OP_MAX + 3 }, (_, i) => chunk(i));
    const full = holding({ inKb: false, chunks });
    const placed = decide(full, change({ inKb: true })).events;
    const fresh = holding({ inKb: false, chunks: chunks.slice(0, CHUNKS_PER_OP_MAX) });
    const known = evolve(fresh, placed[1]!);
    expect(known.items.get(ITEM)!.chunks).toEqual(chunks);
    expect(carriedOut(full, { events: placed, entityId: ITEM }).items.get(ITEM)!.chunks).toEqual(chunks);
  });
});

describe('the permission check of an item change', () => {
  const notFound = expect.objectContaining({
    code: 'item.not_found',
    message: 'there is no such item',
    details: { field: 'id' },
  });
  const noFolder = expect.objectContaining({
    code: 'folder.not_found',
    message: 'there is no such folder',
    details: { field: 'folderId' },
  });

  it.each<[string, WorkspaceState, Principal]>([
    ['one that does not exist', aWorkspace, writer],
    ['one in a folder outside the token', holding(), scoped(NOTES)],
    ['one outside the knowledge base, for a token that is limited to it', holding({ inKb: false }), kbOnly],
    ['one in a sensitive folder, for anyone but an admin', sensitive(holding(), INBOX), writer],
    ['one in an unknown folder', holding({ folderId: id(404) }), writer],
  ])('refuses %s with the same message [G-29b]', (_, state, principal) => {
    for (const what of [change({ inKb: false }), change({ folderId: NOTES }), change({}, 'bmV3')])
      expect(() => decide(state, what, principal)).toThrow(notFound);
  });

  it.each<[string, WorkspaceState, Principal, string]>([
    ['does not exist', holding(), writer, id(404)],
    ['is outside the token', holding(), scoped(INBOX), NOTES],
    ['is sensitive, for anyone but an admin', sensitive(holding(), NOTES), writer, NOTES],
  ])('refuses a folder that %s with the same message [G-29b]', (_, state, principal, folderId) => {
    expect(() => decide(state, change({ folderId }), principal)).toThrow(noFolder);
  });

  it('lets a token move items between its folders, and an admin into and out of a sensitive one', () => {
    expect(decide(holding(), change({ folderId: NOTES }), scoped(INBOX, NOTES)).events).toHaveLength(1);
    const state = sensitive(sensitive(holding(), NOTES), INBOX);
    expect(decide(state, change({ folderId: NOTES }), admin).events).toHaveLength(1);
  });

  it('does not let a token that is limited to the knowledge base take anything out of it', () => {
    expect(() => decide(holding(), change({ inKb: false }), kbOnly)).toThrow(
      expect.objectContaining({ code: 'item.kb_only', kind: 'rule', details: { field: 'inKb' } }),
    );
    expect(decide(holding(), change({ folderId: NOTES, inKb: true }), kbOnly).events).toHaveLength(1);
  });
});
