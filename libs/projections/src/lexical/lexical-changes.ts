import { chunksOf, isTextOp, type Op } from '@cairn/contracts';
import type { Vault } from '@cairn/vault';
import { isSuperseded, openItems, searchableText, type OpenedItem } from '../opened-item.js';
import type { LexicalChange } from './lexical-change.js';

const putsOf = ({ op, meta, chunks }: OpenedItem): LexicalChange[] =>
  chunks.map((chunk) => ({
    kind: 'put',
    position: op.position,
    document: {
      chunkId: chunk.chunkId,
      workspaceId: op.workspace,
      folderId: op.data.folderId,
      itemId: op.data.itemId,
      superseded: isSuperseded(op.data),
      expiresAt: op.data.expiresAt,
      body: searchableText(meta.title, chunk.plaintext),
    },
  }));

/** An item in the knowledge base has chunks, so an op without any only moves it. */
const moveOf = ({ op, meta }: OpenedItem): LexicalChange => {
  const { itemId, folderId, expiresAt } = op.data;
  const to = { folderId, superseded: isSuperseded(op.data), expiresAt, title: meta.title };
  return { kind: 'move', position: op.position, itemId, to };
};

/** Items that a forgotten item had replaced are found again, unless another item replaces them now. */
const revived = ({ position, data: { ledOn } }: Extract<Op, { type: 'item.forgotten' }>): LexicalChange[] => {
  if (!ledOn || ledOn.to) return [];
  return ledOn.items.filter(({ inKb }) => inKb).map(({ itemId, inKb }) => ({ kind: 'revive', position, itemId, inKb }));
};

/** Most of these ops do not change the tier: a new folder is not sensitive. */
const tierOf = (op: Extract<Op, { type: 'folder.created' | 'folder.configured' }>): LexicalChange[] => {
  const { tier, folderId } = op.data;
  const sensitive = tier === 'sensitive';
  if (tier === undefined || (op.type === 'folder.created' && !sensitive)) return [];
  return [{ kind: 'tier', position: op.position, folderId, sensitive }];
};

const changesOf = (op: Op, opened: ReadonlyMap<number, OpenedItem>): LexicalChange[] => {
  const { position } = op;
  const item = opened.get(position);
  if (item) return chunksOf(item.op.data).length > 0 ? putsOf(item) : [moveOf(item)];
  if (op.type === 'folder.created' || op.type === 'folder.configured') return tierOf(op);
  if (op.type === 'item.placed') return [{ kind: 'remove', position, itemId: op.data.itemId }];
  if (op.type === 'item.forgotten') return [{ kind: 'forget', position, chunkIds: op.data.chunkIds }, ...revived(op)];
  if (op.type === 'chunk.forgotten') return [{ kind: 'forget', position, chunkIds: [op.data.chunkId] }];
  if (op.type !== 'item.superseded' || op.data.inKb === false) return [];
  return [{ kind: 'supersede', position, itemId: op.data.itemId, inKb: op.data.inKb }];
};

/** The changes of a lexical index that a batch of ops causes, the same for both adapters. */
export const lexicalChanges = async (vault: Vault, ops: readonly Op[]): Promise<LexicalChange[]> => {
  const opened = await openItems(
    vault,
    ops.filter((op) => isTextOp(op) && op.data.inKb),
  );
  return ops.flatMap((op) => changesOf(op, opened));
};
