import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '@cairn/contracts';
import { admin, after, aWorkspace, by, carriedOut, id, INBOX, NOTES, scoped } from './given.builder.js';
import { decideAddLinks, decideRemoveLink, type NamedLink } from './link.decider.js';
import type { WorkspaceState } from './state.js';

const item = (n: number, folderId = INBOX): DomainEvent => ({
  type: 'item.stored',
  data: {
    itemId: id(n),
    folderId,
    inKb: true,
    kind: 'document',
    confidence: 80,
    sourceKind: 'human',
    createdByAgentId: 'a',
    expiresAt: null,
    meta: 'bWV0YQ==',
    chunkCount: 1,
    chunks: [],
  },
});

const state: WorkspaceState = after(aWorkspace, [item(10), item(11), item(12, NOTES)]);

const link = (from: number, to: number, more: Partial<NamedLink> = {}): NamedLink => ({
  linkId: id(from * 1_000 + to),
  fromItemId: id(from),
  toItemId: id(to),
  type: 'supports',
  confidence: 1,
  ...more,
});

const add = (links: readonly NamedLink[], given = state, who = admin, surface: 'rest' | 'mcp' = 'rest') =>
  decideAddLinks(given, by(who, { links, surface }));
const remove = (linkId: string, given: WorkspaceState, who = admin) =>
  decideRemoveLink(given, by(who, { linkId, surface: 'rest' }));

describe('adding links', () => {
  it('is one op with the new links, from a person over REST and from an agent elsewhere', () => {
    const first = add([link(10, 11)]);
    const data = { origin: 'human', links: [{ ...link(10, 11), sourceKind: 'extracted' }] };
    expect(first).toEqual({ entityId: link(10, 11).linkId, events: [{ type: 'link.added', data }] });
    const then = add([link(10, 11), link(11, 10), link(11, 10)], carriedOut(state, first), admin, 'mcp');
    expect(then.events).toEqual([
      { type: 'link.added', data: { origin: 'agent', links: [{ ...link(11, 10), sourceKind: 'inferred' }] } },
    ]);
  });

  it('appends nothing when all links exist', () => {
    expect(add([link(10, 11)], carriedOut(state, add([link(10, 11)]))).events).toEqual([]);
  });

  it.each([
    ['a link to itself', link(10, 10), 'link.to_itself', 'links[1].toItemId'],
    ['supersedes', link(10, 11, { type: 'supersedes' }), 'link.use_supersede', 'links[1].type'],
    ['an unknown item', link(10, 99), 'item.not_found', 'links[1].toItemId'],
    ['an item out of reach', link(12, 10), 'item.not_found', 'links[1].fromItemId'],
  ])('refuses %s and names its place in the request', (_, wrong, code, field) => {
    expect(() => add([link(10, 11), wrong], state, scoped(INBOX))).toThrow(
      expect.objectContaining({ code, details: { field } }),
    );
  });
});

describe('removing a link', () => {
  const { linkId } = link(10, 12);
  const given = carriedOut(state, add([link(10, 12)]));

  it('is one op, and then the link is not found', () => {
    const removed = remove(linkId, given);
    expect(removed).toEqual({ entityId: linkId, events: [{ type: 'link.removed', data: { linkIds: [linkId] } }] });
    expect(() => remove(linkId, carriedOut(given, removed))).toThrow('there is no such link');
  });

  it('does not find a link if the caller may not see one of its ends', () => {
    expect(() => remove(linkId, given, scoped(INBOX))).toThrow('there is no such link');
  });

  it('does not find a link of a forgotten item', () => {
    const forgotten = after(given, [
      {
        type: 'item.forgotten',
        data: { itemId: id(12), folderId: NOTES, chunkIds: [], receiptId: id(1), erased: [], more: false },
      },
    ]);
    expect(() => remove(linkId, forgotten)).toThrow('there is no such link');
  });

  it('is decided later if the ends of the link are not known yet', () => {
    const items = new Map([...given.items].filter(([itemId]) => itemId !== id(12)));
    expect(() => remove(linkId, { ...given, items })).toThrow(expect.objectContaining({ kind: 'conflict' }));
  });
});
