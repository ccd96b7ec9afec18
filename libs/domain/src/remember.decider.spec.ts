import { describe, expect, it } from '@jest/globals';
import {
  CONFIRMATION_LIFE_MS,
  CONFIRMATION_UNDO_MS,
  CONFIRMATIONS_PENDING_MAX,
  type CommandData,
  type DomainEvent,
} from '@cairn/contracts';
import fc from 'fast-check';
import { decideResolveConfirmation } from './confirmation.decider.js';
import { admin, after, agent, aWorkspace, by, carriedOut, id, INBOX, NOTES, NOW_MS, scoped } from './given.builder.js';
import type { SealedItem } from './item.decider.js';
import { decideRemember, type Memory } from './remember.decider.js';
import type { WorkspaceState } from './state.js';

const BOOKS = id(4);
const SECRET = id(5);

const folder = (folderId: string, slug: string, name: string, tier: 'personal' | 'sensitive'): DomainEvent => ({
  type: 'folder.created',
  data: { folderId, slug, name, tier, maxTokensPerRecall: null, readme: '', isDefault: false },
});

const library = after(aWorkspace, [
  folder(BOOKS, 'book-notes', 'Book Notes', 'personal'),
  folder(SECRET, 'diary', 'My Diary', 'sensitive'),
]);

const hash = (n: number): string => String(n).padStart(64, '0');

const item = (n: number): SealedItem => ({
  itemId: id(100 + n),
  command: { inKb: true, kind: 'clip', source: { kind: 'agent' }, surface: 'rest', confidence: 80, expiresAt: null },
  meta: 'bWV0YQ==',
  chunks: [{ chunkId: id(200 + n), ordinal: 0, text: 'dGV4dA==', textHash: hash(0), tokens: 1 }],
});

const memory = (target: Pick<Memory, 'slug' | 'name'>, n = 1): Memory => ({
  item: item(n),
  payloadHash: hash(n),
  kind: 'clip',
  confirmationId: id(300 + n),
  sealWaiting: (candidates) => Buffer.from(JSON.stringify(candidates)).toString('base64'),
  ...target,
});

const remember = (
  target: Pick<Memory, 'slug' | 'name'>,
  { state = library, by: who = admin, n = 1, atMs = NOW_MS } = {},
) => decideRemember(state, by(who, memory(target, n), atMs));

const storedIn = (target: Pick<Memory, 'slug' | 'name'>, options = {}) => {
  const made = remember(target, options);
  return made.outcome === 'stored' ? made.folder.id : undefined;
};

const waitingOn = (count: number): WorkspaceState =>
  Array.from({ length: count }, (_, i) => i).reduce(
    (state, n) => carriedOut(state, remember({ name: 'Gardening' }, { state, n })),
    library,
  );

describe('the folder of a memory', () => {
  it.each(['Book Notes', 'book-notes', 'booknotes', 'BOOK NOTES'])(
    '[N-27] [N-29] is the folder that %s names exactly',
    (name) => {
      expect(storedIn({ name })).toBe(BOOKS);
    },
  );

  it('[N-18] is the folder with exactly this slug', () => {
    expect(storedIn({ slug: 'book-notes' })).toBe(BOOKS);
    for (const slug of ['Book Notes', 'booknotes', 'no-such']) {
      expect(() => remember({ slug })).toThrow(
        expect.objectContaining({
          code: 'engram.not_found',
          details: { field: 'slug', engrams: ['inbox', 'notes', 'Book Notes'] },
        }),
      );
    }
  });

  it('[N-72] is the default folder, or the only one of the token, when none is named', () => {
    expect(storedIn({})).toBe(INBOX);
    expect(storedIn({}, { by: scoped(NOTES) })).toBe(NOTES);
    expect(() => remember({}, { by: scoped(NOTES, BOOKS) })).toThrow(
      expect.objectContaining({ code: 'folder.required', details: { field: 'name' } }),
    );
  });

  it.each([{ slug: 'diary' }, { name: 'My Diary' }, { name: 'mydiary' }])(
    '[N-25] is never a sensitive folder: %j is refused',
    (target) => {
      expect(() => remember(target)).toThrow(expect.objectContaining({ code: 'engram.sensitive' }));
    },
  );

  it('[N-25] is not the default folder once that is sensitive', () => {
    const state = after(library, [{ type: 'folder.configured', data: { folderId: INBOX, tier: 'sensitive' } }]);
    expect(() => remember({}, { state })).toThrow(expect.objectContaining({ code: 'engram.sensitive' }));
  });

  it('is decided on the current names', () => {
    const state = after(library, [{ type: 'folder.configured', data: { folderId: BOOKS, name: 'Reading' } }]);
    expect(storedIn({ name: 'Reading' }, { state })).toBe(BOOKS);
  });
});

describe('a name that no folder has exactly', () => {
  it('[N-28] [N-30] [N-32] asks a person about the closest folders, and stores nothing', () => {
    const made = remember({ name: 'Bok Nites' });
    expect(made).toMatchObject({
      outcome: 'waiting',
      reason: 'close',
      candidates: [{ folder: { id: BOOKS }, match: 'close spelling' }],
      entityId: id(301),
    });
    expect(made.events).toEqual([
      {
        type: 'confirmation.requested',
        data: {
          confirmationId: id(301),
          agentId: 'agent-a',
          reason: 'close',
          kind: 'clip',
          payloadHash: hash(1),
          sealed: expect.any(String),
          expiresAt: new Date(NOW_MS + CONFIRMATION_LIFE_MS).toISOString(),
        },
      },
    ]);
  });

  it('[N-34] asks without candidates when none is close, and lists the folders that the caller may see', () => {
    const made = remember({ name: 'Gardening' });
    expect(made).toMatchObject({ outcome: 'waiting', reason: 'none', candidates: [] });
    expect(made.outcome === 'waiting' && made.folders.map(({ name }) => name)).toEqual([
      'inbox',
      'notes',
      'Book Notes',
    ]);
    const narrow = remember({ name: 'Book Notes' }, { by: scoped(NOTES, INBOX) });
    expect(narrow.outcome === 'waiting' && narrow.folders.map(({ name }) => name)).toEqual(['inbox', 'notes']);
  });

  it('[N-25] never offers a sensitive folder', () => {
    for (const name of ['diary of mine', 'My Diaries', 'diari']) {
      expect(JSON.stringify(remember({ name }))).not.toContain(SECRET);
    }
  });

  it('asks once when the same agent repeats the call, and again after the time is over', () => {
    const state = waitingOn(1);
    const again = { state, n: 0 };
    expect(remember({ name: 'Gardening' }, again)).toMatchObject({ entityId: id(300), events: [] });
    const other = decideRemember(
      state,
      by(agent('agent-b'), { ...memory({ name: 'Gardening' }, 0), confirmationId: id(399) }),
    );
    expect(other.entityId).toBe(id(399));
    const late = remember({ name: 'Gardening' }, { ...again, atMs: NOW_MS + CONFIRMATION_LIFE_MS });
    expect(late.events).toHaveLength(1);
    const discarded = carriedOut(state, resolve(state, 'dismiss'));
    expect(remember({ name: 'Gardening' }, { state: discarded, n: 0 }).events).toHaveLength(1);
  });

  it('is refused when too many are waiting, until one is decided', () => {
    const full = waitingOn(CONFIRMATIONS_PENDING_MAX);
    const more = { state: full, n: 999 };
    expect(() => remember({ name: 'Gardening' }, more)).toThrow(
      expect.objectContaining({ code: 'confirmation.too_many', details: { limit: CONFIRMATIONS_PENDING_MAX } }),
    );
    expect(storedIn({ name: 'Book Notes' }, more)).toBe(BOOKS);
    const others = by(agent('agent-b'), { ...memory({ name: 'Gardening' }, 999), confirmationId: id(399) });
    expect(decideRemember(full, others).events).toHaveLength(1);
    const room = carriedOut(full, resolve(full, 'dismiss', {}, id(300)));
    expect(remember({ name: 'Gardening' }, { ...more, state: room }).events).toHaveLength(1);
  });

  it('[N-35] never creates a folder and never chooses, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }), (name) => {
        const { events } = remember({ name });
        expect(events.map(({ type }) => type)).not.toContain('folder.created');
        expect(events).toHaveLength(1);
      }),
    );
  });
});

const resolve = (
  state: WorkspaceState,
  action: CommandData<'confirmation.resolve'>['action'],
  more: { folderId?: string; name?: string } = {},
  confirmationId = id(300),
  atMs = NOW_MS,
) =>
  decideResolveConfirmation(
    state,
    by(
      admin,
      {
        command: { confirmationId, action, ...more },
        newFolderId: id(50),
        open: () => ({ suggestedName: 'Book Notes', item: item(7) }),
      },
      atMs,
    ),
  );

const CLOSED = expect.objectContaining({ code: 'confirmation.closed' });

describe('deciding about a waiting memory', () => {
  it('[N-33] stores it in the folder that a person has chosen, as the agent’s', () => {
    const { events } = resolve(waitingOn(1), 'use', { folderId: NOTES });
    expect(events.map(({ type }) => type)).toEqual(['confirmation.resolved', 'item.stored']);
    expect(events[0]!.data).toEqual({
      confirmationId: id(300),
      action: 'use',
      folderId: NOTES,
      storedItemId: id(107),
    });
    expect(events[1]!.data).toMatchObject({ itemId: id(107), folderId: NOTES, createdByAgentId: 'agent-a' });
  });

  it('[N-33] [N-35] creates the folder and the item together', () => {
    const { events } = resolve(waitingOn(1), 'create', { name: 'Plants' });
    expect(events.map(({ type }) => type)).toEqual(['confirmation.resolved', 'folder.created', 'item.stored']);
    const folder = { folderId: id(50), slug: 'plants', name: 'Plants', tier: 'personal', isDefault: false };
    expect(events[1]!.data).toMatchObject(folder);
  });

  it('[N-27] creates no second folder of the same name, and stores in the existing one', () => {
    const { events } = resolve(waitingOn(1), 'create');
    expect(events.map(({ type }) => type)).toEqual(['confirmation.resolved', 'item.stored']);
    expect(events.map(({ data }) => data)).toMatchObject([{ folderId: BOOKS }, { folderId: BOOKS }]);
  });

  it('requires a folder that exists', () => {
    expect(() => resolve(waitingOn(1), 'use', { folderId: id(77) })).toThrow(
      expect.objectContaining({ code: 'folder.not_found' }),
    );
  });

  it('happens once: a second decision fails because the first one closed it', () => {
    const state = waitingOn(1);
    const done = carriedOut(state, resolve(state, 'use', { folderId: NOTES }));
    for (const action of ['use', 'create', 'dismiss'] as const) {
      expect(() => resolve(done, action, { folderId: NOTES })).toThrow(CLOSED);
    }
    expect(resolve(done, 'expire').events).toEqual([]);
  });

  it('is possible for a day, after which the memory expires', () => {
    const state = waitingOn(1);
    const at = (ms: number) => NOW_MS + CONFIRMATION_LIFE_MS + ms;
    expect(resolve(state, 'dismiss', {}, id(300), at(-1)).events).toHaveLength(1);
    expect(() => resolve(state, 'dismiss', {}, id(300), at(0))).toThrow(CLOSED);
    expect(() => resolve(state, 'expire', {}, id(300), at(-1))).toThrow('not over');
    expect(resolve(state, 'expire', {}, id(300), at(0)).events[0]!.data).toMatchObject({ action: 'expire' });
  });

  it('is refused for a confirmation that never existed', () => {
    expect(() => resolve(library, 'dismiss', {}, id(999))).toThrow(
      expect.objectContaining({ code: 'confirmation.not_found' }),
    );
  });
});

describe('discarding a waiting memory', () => {
  const waiting = waitingOn(1);
  const discarded = carriedOut(waiting, resolve(waiting, 'dismiss'));
  const at = (atMs: number, action: CommandData<'confirmation.resolve'>['action'], state = discarded) =>
    resolve(state, action, { folderId: NOTES }, id(300), atMs);
  const undoEnds = NOW_MS + CONFIRMATION_UNDO_MS;
  const erased = (action: string) => [
    {
      type: 'confirmation.resolved',
      data: { confirmationId: id(300), action, folderId: null, storedItemId: null },
    },
  ];

  it('keeps it for a while, and stores nothing', () => {
    expect(resolve(waiting, 'dismiss').events).toEqual([
      {
        type: 'confirmation.discarded',
        data: { confirmationId: id(300), restorableUntil: new Date(undoEnds).toISOString() },
      },
    ]);
  });

  it('can be undone in that time: it waits as before, and as long as before', () => {
    const restored = carriedOut(discarded, at(undoEnds - 1, 'restore'));
    expect(at(NOW_MS + CONFIRMATION_LIFE_MS - 1, 'use', restored).events).toHaveLength(2);
    expect(() => at(NOW_MS + CONFIRMATION_LIFE_MS, 'use', restored)).toThrow(CLOSED);
  });

  it('changes nothing when it is undone twice', () => {
    expect(resolve(waiting, 'restore').events).toEqual([]);
  });

  it('cannot be undone when the time is over, nor after the text expires', () => {
    expect(() => at(undoEnds, 'restore')).toThrow(CLOSED);
    const late = NOW_MS + CONFIRMATION_LIFE_MS - 1;
    const [event] = at(late, 'dismiss', waiting).events;
    expect(event!.data).toMatchObject({
      restorableUntil: new Date(NOW_MS + CONFIRMATION_LIFE_MS).toISOString(),
    });
    const soonGone = carriedOut(waiting, at(late, 'dismiss', waiting));
    expect(() => at(late + 1, 'restore', soonGone)).toThrow(CLOSED);
  });

  it('is a decision: the memory must be restored before it can be stored', () => {
    for (const action of ['use', 'create', 'dismiss'] as const) {
      expect(() => at(NOW_MS, action)).toThrow(
        expect.objectContaining({ code: 'confirmation.closed', message: expect.stringContaining('restore it first') }),
      );
    }
  });

  it('erases it when the time is over, and not before', () => {
    expect(() => at(undoEnds - 1, 'expire')).toThrow('not over');
    expect(at(undoEnds, 'expire').events).toEqual(erased('dismiss'));
    const gone = carriedOut(discarded, at(undoEnds, 'expire'));
    expect(() => at(undoEnds, 'restore', gone)).toThrow(CLOSED);
    expect(at(undoEnds, 'expire', gone).events).toEqual([]);
  });

  it.each([
    ['waits', waiting],
    ['is discarded', discarded],
  ])('does not delay erasing a memory that %s', (_, state) => {
    const { events } = at(NOW_MS, 'erase', state);
    expect(events).toEqual(erased('dismiss'));
    expect(at(NOW_MS, 'erase', after(state, events)).events).toEqual([]);
  });
});
