import { NO_TITLE, type CommandData, type StoredChunk } from '@cairn/contracts';
import { chunkText, type SealedItem } from '@cairn/domain';
import { keyedHash, sealMeta, sealText, type ItemKeys } from '@cairn/vault';
import type { PrepareContext } from './command.js';

/** A new item without plaintext, and the keys that open it. */
export interface Sealed {
  readonly item: SealedItem;
  readonly keys: ItemKeys;
}

/** Chunks, mints ids and keys, and seals: after this no plaintext is left. */
export const sealItem = (
  workspaceId: string,
  data: CommandData<'item.store'>,
  { vault, ids }: PrepareContext,
): Sealed => {
  const { title = NO_TITLE, text, tags, taskRef, clientToken: _, ...command } = data;
  const itemId = ids.next();
  const pieces = chunkText(text).map((chunk) => ({ ...chunk, id: ids.next() }));
  const keys = vault.mint(
    workspaceId,
    itemId,
    pieces.map(({ id }) => id),
  );
  const chunks = pieces.map((piece, ordinal): StoredChunk => {
    const key = keys.chunks.get(piece.id)!;
    return {
      chunkId: piece.id,
      ordinal,
      text: sealText(key, workspaceId, piece.id, piece.text).toString('base64'),
      textHash: keyedHash(key, piece.text),
      tokens: piece.tokens,
    };
  });
  const { name: sourceName, uri: sourceUri } = command.source;
  const meta = {
    title,
    tags,
    ...(sourceName !== undefined && { sourceName }),
    ...(sourceUri !== undefined && { sourceUri }),
    ...(taskRef && { links: [{ type: 'task_knowledge' as const, ...taskRef }] }),
  };
  const sealedMeta = sealMeta(keys.item, workspaceId, itemId, meta).toString('base64');
  return { item: { itemId, command, meta: sealedMeta, chunks }, keys };
};
