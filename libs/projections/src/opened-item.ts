import type { ItemMeta, Op, StoredChunk } from '@cairn/contracts';
import { openMeta, openText, type ItemKeys, type Vault } from '@cairn/vault';

export type ItemOp = Extract<Op, { type: 'item.stored' | 'item.extended' }>;

export interface OpenedChunk extends StoredChunk {
  readonly plaintext: string;
  readonly wrappedKey: Buffer;
}

/** An item op with its sealed fields opened: what the text-derived read models are made of. */
export interface OpenedItem {
  readonly op: ItemOp;
  readonly meta: ItemMeta;
  readonly wrappedItemKey: Buffer;
  readonly chunks: readonly OpenedChunk[];
}

export const isItemOp = (op: Op): op is ItemOp => op.type === 'item.stored' || op.type === 'item.extended';

/** Title and text together: what both lexical readings are about. */
export const searchableText = (meta: ItemMeta, plaintext: string): string => `${meta.title}\n${plaintext}`;

const openItem = (op: ItemOp, keys: ItemKeys): OpenedItem => {
  const { workspace, data } = op;
  return {
    op,
    meta: openMeta(keys.item, workspace, data.itemId, Buffer.from(data.meta, 'base64')),
    wrappedItemKey: Buffer.from(keys.wrapped.item, 'base64'),
    chunks: data.chunks.map((chunk) => ({
      ...chunk,
      plaintext: openText(keys.chunks.get(chunk.chunkId)!, workspace, chunk.chunkId, Buffer.from(chunk.text, 'base64')),
      wrappedKey: Buffer.from(keys.wrapped.chunks[chunk.chunkId]!, 'base64'),
    })),
  };
};

/** Opens the items of a batch; the keys are fetched side by side. */
export const openItems = async (vault: Vault, ops: readonly Op[]): Promise<ReadonlyMap<number, OpenedItem>> => {
  const opened = await Promise.all(
    ops.filter(isItemOp).map(async (op) => openItem(op, await vault.get(op.workspace, op.data.itemId))),
  );
  return new Map(opened.map((item) => [item.op.position, item]));
};
