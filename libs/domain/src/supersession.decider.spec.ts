import { describe, expect, it } from '@jest/globals';
import { SUPERSEDED_TOGETHER_MAX } from '@cairn/contracts';
import fc from 'fast-check';
import { admin, agent, after, aWorkspace, by, carriedOut, id, INBOX, NOTES, scoped } from './given.builder.js';
import type { WorkspaceState } from './state.js';
import { decideSupersedeItem, replacements } from './supersession.decider.js';

const stored = (state: WorkspaceState, n: number, createdByAgentId = 'agent-a', folderId = INBOX): WorkspaceState => ({
  ...state,
  items: new Map(state.items).set(id(n), {
    id: id(n),
    folderId,
    inKb: true,
    kind: 'knowledge',
    expiresAt: null,
    createdByAgentId,
    supersededById: null,
    meta: '',
  }),
});

const withItems = (count: number): WorkspaceState =>
  Array.from({ length: count }, (_, i) => 100 + i).reduce((state, n) => stored(state, n), aWorkspace);

const supersede = (state: WorkspaceState, oldN: number, newN: number, principal = admin) =>
  decideSupersedeItem(state, by(principal, { oldId: id(oldN), newId: id(newN) }));

const chained = (state: WorkspaceState, ...pairs: [number, number][]): WorkspaceState =>
  pairs.reduce((current, [oldN, newN]) => carriedOut(current, supersede(current, oldN, newN)), state);

describe('superseding an entry', () => {
  it('[D-39] [D-40] points the old entry at the new one', () => {
    expect(supersede(withItems(2), 100, 101)).toEqual({
      entityId: id(100),
      events: [
        {
          type: 'item.superseded',
          data: { itemId: id(100), byItemId: id(101), updatedIds: [id(100)], headId: id(101), inKb: true },
        },
      ],
    });
  });

  it('finds nothing in a sensitive folder, not even for an admin, since it is a tool for agents', () => {
    const sensitive = after(stored(stored(aWorkspace, 100), 101, 'agent-a', NOTES), [
      { type: 'folder.configured', data: { folderId: NOTES, tier: 'sensitive' } },
    ]);
    for (const [pair, field] of [
      [[101, 100], 'oldId'],
      [[100, 101], 'newId'],
    ] as const) {
      const missing = expect.objectContaining({ code: 'item.not_found', details: { field } });
      expect(() => supersede(sensitive, pair[0], pair[1])).toThrow(missing);
    }
  });

  it('[D-44] points to the end of the chain when the new entry is itself replaced', () => {
    const state = chained(withItems(3), [101, 102]);
    expect(supersede(state, 100, 101).events[0]!.data).toMatchObject({ byItemId: id(101), headId: id(102) });
  });

  it('[D-44] redirects every entry that pointed to the old one, in the same op', () => {
    const state = chained(withItems(4), [100, 101], [101, 102]);
    const { data } = supersede(state, 102, 103).events[0]!;
    expect(data).toMatchObject({ headId: id(103) });
    expect(new Set((data as { updatedIds: string[] }).updatedIds)).toEqual(new Set([id(100), id(101), id(102)]));
  });

  it('appends nothing the second time', () => {
    expect(supersede(chained(withItems(2), [100, 101]), 100, 101)).toEqual({ events: [], entityId: id(100) });
  });

  it('[D-44] joins two chains: every entry of the first points to the end of the second', () => {
    const state = chained(withItems(6), [100, 101], [101, 102], [103, 104], [104, 105]);
    const { data } = supersede(state, 102, 103).events[0]! as { data: { updatedIds: string[]; headId: string } };
    expect([[...data.updatedIds].sort(), data.headId]).toEqual([[id(100), id(101), id(102)], id(105)]);
  });

  it('can be changed to another replacement, and entries that pointed to the old one follow it', () => {
    const state = chained(withItems(4), [103, 100], [100, 101], [100, 102]);
    expect(replacements(state.items, id(100))).toEqual([id(100), id(102)]);
    expect(replacements(state.items, id(103))).toEqual([id(103), id(100), id(102)]);
    const { data } = supersede(chained(withItems(4), [103, 100], [100, 101]), 100, 102).events[0]!;
    expect(new Set((data as { updatedIds: string[] }).updatedIds)).toEqual(new Set([id(100), id(103)]));
  });

  it('redirects as many entries as an op can name, and refuses more with the name of the limit', () => {
    const hub = 100 + SUPERSEDED_TOGETHER_MAX;
    const items = new Map(withItems(2).items);
    const model = items.get(id(100))!;
    for (let n = 100; n <= hub + 1; n++) {
      const supersededById = n < hub - 1 ? id(hub) : null;
      items.set(id(n), { ...model, id: id(n), supersededById });
    }
    const full: WorkspaceState = { ...aWorkspace, items };
    expect(supersede(full, hub, hub + 1).events[0]!.data).toMatchObject({ headId: id(hub + 1) });
    expect(() => supersede(chained(full, [hub - 1, hub]), hub, hub + 1)).toThrow(
      expect.objectContaining({
        code: 'knowledge.chain_too_long',
        details: { field: 'oldId', limit: SUPERSEDED_TOGETHER_MAX },
      }),
    );
  });

  it('is decided quickly at the end of a chain of thousands, and a cycle is found', () => {
    const length = SUPERSEDED_TOGETHER_MAX;
    const items = new Map(withItems(1).items);
    const model = items.get(id(100))!;
    for (let n = 100; n < 100 + length; n++) {
      items.set(id(n), { ...model, id: id(n), supersededById: n < 99 + length ? id(n + 1) : null });
    }
    items.set(id(1), { ...model, id: id(1) });
    const state: WorkspaceState = { ...aWorkspace, items };
    const startedAt = performance.now();
    expect((supersede(state, 99 + length, 1).events[0]!.data as { updatedIds: string[] }).updatedIds).toHaveLength(
      length,
    );
    expect(() => supersede(state, 99 + length, 100)).toThrow(expect.objectContaining({ code: 'knowledge.cycle' }));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each<[string, [number, number][], [number, number]]>([
    ['itself', [], [100, 100]],
    ['the entry that it replaces', [[100, 101]], [101, 100]],
    [
      'one at the other end of a chain',
      [
        [100, 101],
        [101, 102],
      ],
      [102, 100],
    ],
  ])('[D-43] refuses to replace an entry by %s', (_, before, [oldN, newN]) => {
    const state = chained(withItems(3), ...before);
    expect(() => supersede(state, oldN, newN)).toThrow(expect.objectContaining({ code: 'knowledge.cycle' }));
  });

  it('[D-41] is allowed to the owner of either entry', () => {
    const state = stored(stored(aWorkspace, 100, 'agent-a'), 101, 'agent-b');
    expect(supersede(state, 100, 101, agent('agent-a')).events).toHaveLength(1);
    expect(supersede(state, 100, 101, agent('agent-b')).events).toHaveLength(1);
    expect(() => supersede(state, 100, 101, agent('agent-c'))).toThrow(
      expect.objectContaining({ code: 'knowledge.not_owner', kind: 'rule' }),
    );
  });

  it.each([
    ['unknown', 404, 100, 'oldId'],
    ['unknown', 100, 404, 'newId'],
    ['in a folder outside the token', 101, 100, 'oldId'],
    ['in a folder outside the token', 100, 101, 'newId'],
  ])('does not find an entry that is %s (%i by %i)', (_, oldN, newN, field) => {
    const state = stored(stored(aWorkspace, 100), 101, 'agent-a', NOTES);
    expect(() => supersede(state, oldN, newN, scoped(INBOX))).toThrow(
      expect.objectContaining({ code: 'item.not_found', details: { field } }),
    );
  });

  it('[D-43] [D-44] stays free of cycles, and every entry points to the end of its chain, for any sequence of commands', () => {
    const size = 8;
    const pair = fc.tuple(fc.nat(size - 1), fc.nat(size - 1));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), (pairs) => {
        let state = withItems(size);
        const heads = new Map<string, string>();
        for (const [a, b] of pairs) {
          try {
            const { events } = supersede(state, 100 + a, 100 + b);
            for (const event of events) {
              if (event.type !== 'item.superseded') continue;
              for (const updated of event.data.updatedIds) heads.set(updated, event.data.headId);
            }
            state = after(state, events);
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'knowledge.cycle' });
          }
        }
        for (const item of state.items.values()) {
          const chain = replacements(state.items, item.id);
          expect(state.items.get(chain.at(-1)!)!.supersededById).toBeNull();
          if (item.supersededById !== null) expect(heads.get(item.id)).toBe(chain.at(-1));
        }
      }),
    );
  });
});
