import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { admin, agent, after, aWorkspace, by, carriedOut, id, INBOX, NOTES, scoped } from './given.fake.js';
import type { WorkspaceState } from './state.js';
import { decideSupersedeItem, replacements } from './supersession.decider.js';

const stored = (state: WorkspaceState, n: number, createdByAgentId = 'agent-a', folderId = INBOX): WorkspaceState => ({
  ...state,
  items: new Map(state.items).set(id(n), { id: id(n), folderId, createdByAgentId, supersededById: null }),
});

const withItems = (count: number): WorkspaceState =>
  Array.from({ length: count }, (_, i) => 100 + i).reduce((state, n) => stored(state, n), aWorkspace);

const supersede = (state: WorkspaceState, oldN: number, newN: number, principal = admin) =>
  decideSupersedeItem(state, by(principal, { oldId: id(oldN), newId: id(newN) }));

const chained = (state: WorkspaceState, ...pairs: [number, number][]): WorkspaceState =>
  pairs.reduce((current, [oldN, newN]) => carriedOut(current, supersede(current, oldN, newN)), state);

describe('superseding an entry', () => {
  it('points the old entry at the new one', () => {
    expect(supersede(withItems(2), 100, 101)).toEqual({
      entityId: id(100),
      events: [
        {
          type: 'item.superseded',
          data: { itemId: id(100), byItemId: id(101), updatedIds: [id(100)], headId: id(101) },
        },
      ],
    });
  });

  it('leads to the end of the chain when the new entry is replaced itself', () => {
    const state = chained(withItems(3), [101, 102]);
    expect(supersede(state, 100, 101).events[0]!.data).toMatchObject({ byItemId: id(101), headId: id(102) });
  });

  it('takes along everything that led to the old entry', () => {
    const state = chained(withItems(4), [100, 101], [101, 102]);
    const { data } = supersede(state, 102, 103).events[0]!;
    expect(data).toMatchObject({ headId: id(103) });
    expect(new Set((data as { updatedIds: string[] }).updatedIds)).toEqual(new Set([id(100), id(101), id(102)]));
  });

  it('says nothing new when asked twice', () => {
    expect(supersede(chained(withItems(2), [100, 101]), 100, 101)).toEqual({ events: [], entityId: id(100) });
  });

  it('can be changed to another replacement', () => {
    const state = chained(withItems(3), [100, 101], [100, 102]);
    expect(replacements(state.items, id(100))).toEqual([id(100), id(102)]);
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
  ])('refuses to replace an entry by %s', (_, before, [oldN, newN]) => {
    const state = chained(withItems(3), ...before);
    expect(() => supersede(state, oldN, newN)).toThrow(expect.objectContaining({ code: 'knowledge.cycle' }));
  });

  it('is allowed to whoever owns one of the two', () => {
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

  it('stays free of circles, and every entry knows the end of its chain, whatever is asked', () => {
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
