import { chunksOf, isTextOp, type ItemMeta, type Op, type StoredChunk, type TextOp } from '@cairn/contracts';
import { openMeta, openText, type ItemKeys, type Vault } from '@cairn/vault';

export interface OpenedChunk extends StoredChunk {
  readonly plaintext: string;
  readonly key: Uint8Array;
  readonly wrappedKey: Buffer;
}

/** An item op with its sealed fields opened: the input of the text-derived read models. */
export interface OpenedItem {
  readonly op: TextOp;
  readonly meta: ItemMeta;
  readonly wrappedItemKey: Buffer;
  /** The chunks that were not forgotten since. */
  readonly chunks: readonly OpenedChunk[];
}

/** A new item is not superseded; an item that is placed again may be. */
export const isSuperseded = (data: TextOp['data']): boolean =>
  ('superseded' in data ? data.superseded : false) ?? false;

/** Whether this op stores the chunks, so that no projection has rows of them yet. */
export const isNewText = (op: TextOp): boolean =>
  op.type === 'item.stored' || (op.type === 'item.extended' && op.data.wasInKb === undefined);

/** Title and text together, in the form of both lexical indexes. */
export const searchableText = (title: string, plaintext: string): string => `${title}\n${plaintext}`;

const openChunk = (workspace: string, chunk: StoredChunk, key: Uint8Array, wrappedKey: string): OpenedChunk => ({
  ...chunk,
  plaintext: openText(key, workspace, chunk.chunkId, Buffer.from(chunk.text, 'base64')),
  key,
  wrappedKey: Buffer.from(wrappedKey, 'base64'),
});

const openItem = (op: TextOp, keys: ItemKeys): OpenedItem => {
  const { workspace, data } = op;
  return {
    op,
    meta: openMeta(keys.item, workspace, data.itemId, Buffer.from(data.meta, 'base64')),
    wrappedItemKey: Buffer.from(keys.wrapped.item, 'base64'),
    chunks: chunksOf(data).flatMap((chunk) => {
      const key = keys.chunks.get(chunk.chunkId);
      return key ? [openChunk(workspace, chunk, key, keys.wrapped.chunks[chunk.chunkId]!)] : [];
    }),
  };
};

/** Opens the items of a batch; their keys are fetched in parallel. Items and chunks forgotten since are left out. */
export const openItems = async (vault: Vault, ops: readonly Op[]): Promise<ReadonlyMap<number, OpenedItem>> => {
  const opened = await Promise.all(
    ops.filter(isTextOp).map(async (op) => {
      const keys = await vault.livingKeys(op.workspace, op.data.itemId);
      return keys ? [openItem(op, keys)] : [];
    }),
  );
  return new Map(opened.flat().map((item) => [item.op.position, item]));
};
