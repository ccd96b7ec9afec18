import { ERASED_PER_OP_MAX, SUPERSEDED_TOGETHER_MAX, type DomainEvent, type ErasedOp } from '@cairn/contracts';
import { describe, expect, it } from '@jest/globals';
import { decideForgetChunk, decideForgetItem, decideIssueReceipt } from './forget.decider.js';
import { admin, aWorkspace, after, by, id, INBOX, NOTES, scoped, WORKSPACE } from './given.builder.js';
import { systemPrincipal } from '@cairn/contracts';
import type { ItemState, WorkspaceState } from './state.js';

const [ITEM, RECEIPT] = [id(50), id(60)];
const CHUNKS = [id(51), id(52)];

const erased = (position: number): ErasedOp => ({
  id: id(10_000 + position),
  type: 'item.stored',
  version: 1,
  workspace: WORKSPACE,
  actor: { kind: 'token', tokenId: id(9), agentId: 'agent-a' },
  at: '2026-11-16T12:00:00.000Z',
  commandId: id(7),
  correlationId: 'c',
  prevHash: '0'.repeat(64),
  hash: '1'.repeat(64),
  position,
});

const anItem = (more: Partial<ItemState> = {}): ItemState => ({
  id: ITEM,
  folderId: INBOX,
  inKb: true,
  kind: 'knowledge',
  expiresAt: null,
  createdByAgentId: 'agent-b',
  supersededById: null,
  meta: 'bWV0YQ==',
  content: { chunkIds: CHUNKS, ops: [erased(4)] },
  ...more,
});

const withItem = (item: ItemState, state: WorkspaceState = aWorkspace): WorkspaceState => ({
  ...state,
  items: new Map([[item.id, item]]),
});

const sensitive = after(aWorkspace, [{ type: 'folder.configured', data: { folderId: INBOX, tier: 'sensitive' } }]);

const forgetItem = (state: WorkspaceState, principal = admin, surface: 'mcp' | 'rest' = 'mcp') =>
  decideForgetItem(state, by(principal, { command: { itemId: ITEM, surface }, receiptId: RECEIPT }));
const forgetChunk = (state: WorkspaceState, chunkId: string, principal = admin, itemId?: string) =>
  decideForgetChunk(
    state,
    by(principal, {
      command: { chunkId, surface: 'mcp' as const, ...(itemId === undefined ? {} : { itemId }) },
      receiptId: RECEIPT,
    }),
  );

describe('forgetting an item', () => {
  it('[N-56] names its chunks and every op that holds its content', () => {
    expect(forgetItem(withItem(anItem()))).toEqual({
      entityId: RECEIPT,
      events: [
        {
          type: 'item.forgotten',
          data: {
            itemId: ITEM,
            folderId: INBOX,
            inKb: true,
            chunkIds: CHUNKS,
            receiptId: RECEIPT,
            erased: [erased(4)],
            more: false,
          },
        },
      ],
    });
  });

  it('does not require ownership, but access to the folder', () => {
    expect(forgetItem(withItem(anItem()), scoped(INBOX)).events).toHaveLength(1);
    const missing = expect.objectContaining({ code: 'item.not_found' });
    expect(() => forgetItem(withItem(anItem()), scoped(NOTES))).toThrow(missing);
    expect(() => forgetItem(withItem(anItem({ inKb: false })), { ...admin, kbOnly: true })).toThrow(missing);
    expect(() => forgetItem(aWorkspace)).toThrow(missing);
  });

  it('[N-60] is refused over MCP in a sensitive folder, even to a caller that may see it', () => {
    const refused = expect.objectContaining({ code: 'forget.sensitive', kind: 'rule' });
    expect(() => forgetItem(withItem(anItem(), sensitive))).toThrow(refused);
    expect(() => forgetItem(withItem(anItem(), sensitive), scoped(INBOX))).toThrow(refused);
    expect(() => forgetItem(withItem(anItem(), sensitive), scoped(NOTES))).toThrow(
      expect.objectContaining({ code: 'item.not_found' }),
    );
  });

  it('[N-61] is allowed there for a person', () => {
    expect(forgetItem(withItem(anItem(), sensitive), admin, 'rest').events).toHaveLength(1);
  });

  it('continues in further ops when there is more to erase than one op can name', () => {
    const ops = Array.from({ length: ERASED_PER_OP_MAX + 1 }, (_, i) => erased(i + 1));
    const { events } = forgetItem(withItem(anItem({ content: { chunkIds: CHUNKS, ops } })));
    const data = events.map((event) => (event as Extract<DomainEvent, { type: 'item.forgotten' }>).data);
    expect(data.map(({ more }) => more)).toEqual([true, false]);
    expect(data.map(({ chunkIds }) => chunkIds.length)).toEqual([2, 0]);
    expect(data.flatMap((one) => one.erased)).toEqual(ops);
  });

  describe('forgetting an item of a chain', () => {
    const [OLD, OTHER, NEXT, NEWEST] = [id(70), id(71), id(72), id(73)];
    const chained = (...items: ItemState[]): WorkspaceState => ({
      ...aWorkspace,
      items: new Map(items.map((item) => [item.id, item])),
    });
    const ledOnBy = ({ events }: ReturnType<typeof forgetItem>) =>
      events.map((event) => (event as Extract<DomainEvent, { type: 'item.forgotten' }>).data.ledOn);
    const older = anItem({ id: OLD, supersededById: ITEM });

    it('[D-45] makes its predecessors visible again when nothing had replaced it', () => {
      const state = chained(anItem(), older, anItem({ id: OTHER, supersededById: ITEM, inKb: false }));
      const decision = forgetItem(state);
      const items = [
        { itemId: OLD, inKb: true },
        { itemId: OTHER, inKb: false },
      ];
      expect(ledOnBy(decision)).toEqual([{ items, to: null }]);
      const left = [...after(state, decision.events).items.values()];
      expect(left.map(({ id: left, supersededById }) => [left, supersededById])).toEqual([
        [OLD, null],
        [OTHER, null],
      ]);
    });

    it('[D-44] points its predecessors to its replacement', () => {
      const next = anItem({ id: NEXT, supersededById: NEWEST });
      const state = chained(anItem({ supersededById: NEXT }), older, next, anItem({ id: NEWEST }));
      const decision = forgetItem(state);
      const items = [{ itemId: OLD, inKb: true }];
      expect(ledOnBy(decision)).toEqual([{ items, to: { byItemId: NEXT, headId: NEWEST } }]);
      expect(after(state, decision.events).items.get(OLD)!.supersededById).toBe(NEXT);
    });

    it('ignores a replacement that no longer exists', () => {
      expect(ledOnBy(forgetItem(chained(anItem({ supersededById: NEXT }), older)))).toEqual([
        { items: [{ itemId: OLD, inKb: true }], to: null },
      ]);
    });

    it('continues in further ops when it had replaced more than one op can name', () => {
      const many = Array.from({ length: SUPERSEDED_TOGETHER_MAX + 1 }, (_, i) =>
        anItem({ id: id(1_000 + i), supersededById: ITEM }),
      );
      const named = ledOnBy(forgetItem(chained(anItem(), ...many)));
      expect(named.map((part) => part!.items.length)).toEqual([SUPERSEDED_TOGETHER_MAX, 1]);
    });
  });

  it('is decided again later when an op of the item is still on its way into the log', () => {
    const placed: DomainEvent = {
      type: 'item.placed',
      data: {
        itemId: ITEM,
        folderId: NOTES,
        inKb: true,
        wasInKb: true,
        superseded: false,
        expiresAt: null,
        payloadHash: 'a'.repeat(64),
        meta: 'bWV0YQ==',
        chunks: [],
      },
    };
    const conflict = expect.objectContaining({ code: 'oplog.conflict' });
    expect(() => forgetItem(after(withItem(anItem()), [placed]))).toThrow(conflict);
    expect(() => forgetChunk(after(withItem(anItem()), [placed]), CHUNKS[0]!)).toThrow(conflict);
  });

  it('leaves nothing to forget again', () => {
    const state = withItem(anItem());
    const { events } = forgetItem(state);
    expect(() => forgetItem(after(state, events))).toThrow(expect.objectContaining({ code: 'item.not_found' }));
  });
});

describe('forgetting a chunk', () => {
  it('[N-55] keeps its siblings, and erases no op', () => {
    const state = withItem(anItem());
    const { events, entityId } = forgetChunk(state, CHUNKS[0]!);
    expect(entityId).toBe(RECEIPT);
    expect(events).toEqual([
      { type: 'chunk.forgotten', data: { chunkId: CHUNKS[0], itemId: ITEM, folderId: INBOX, receiptId: RECEIPT } },
    ]);
    expect(after(state, events).items.get(ITEM)!.content!.chunkIds).toEqual([CHUNKS[1]]);
  });

  it('also forgets the item with its last chunk', () => {
    const state = withItem(anItem({ content: { chunkIds: [CHUNKS[1]!], ops: [erased(4)] } }));
    const { events } = forgetChunk(state, CHUNKS[1]!);
    expect(events.map(({ type }) => type)).toEqual(['chunk.forgotten', 'item.forgotten']);
    expect(after(state, events).items.size).toBe(0);
  });

  it('requires a chunk that exists, is visible, and belongs to the item named with it', () => {
    const missing = expect.objectContaining({ code: 'chunk.not_found' });
    expect(() => forgetChunk(withItem(anItem()), id(99))).toThrow(missing);
    expect(() => forgetChunk(withItem(anItem()), CHUNKS[0]!, scoped(NOTES))).toThrow(missing);
    expect(() => forgetChunk(withItem(anItem()), CHUNKS[0]!, admin, id(98))).toThrow(missing);
    expect(forgetChunk(withItem(anItem()), CHUNKS[0]!, admin, ITEM).events).toHaveLength(1);
  });

  it('[N-60] is refused over MCP in a sensitive folder', () => {
    expect(() => forgetChunk(withItem(anItem(), sensitive), CHUNKS[0]!)).toThrow(
      expect.objectContaining({ code: 'forget.sensitive' }),
    );
  });
});

describe('a receipt', () => {
  const data = {
    receiptId: RECEIPT,
    workspaceId: WORKSPACE,
    itemId: ITEM,
    chunkIds: CHUNKS,
    sourceRemoved: true,
    position: 9,
    forgottenAt: '2026-11-16T12:00:00.000Z',
    stores: [],
    issuedAt: '2026-11-16T12:00:00.000Z',
    keyId: 'k',
    signature: 'eA==',
  };
  const pending: WorkspaceState = { ...aWorkspace, receipts: new Map([[RECEIPT, { issued: false }]]) };
  const system = systemPrincipal(WORKSPACE);

  it('is issued once', () => {
    const { events } = decideIssueReceipt(pending, by(system, data));
    expect(events).toEqual([{ type: 'receipt.issued', data }]);
    expect(decideIssueReceipt(after(pending, events), by(system, data)).events).toEqual([]);
  });

  it('is issued by the system only, and only for a forgotten item or chunk', () => {
    expect(() => decideIssueReceipt(pending, by(admin, data))).toThrow(
      expect.objectContaining({ code: 'scope.missing' }),
    );
    expect(() => decideIssueReceipt(aWorkspace, by(system, data))).toThrow(
      expect.objectContaining({ code: 'receipt.not_found' }),
    );
  });
});
