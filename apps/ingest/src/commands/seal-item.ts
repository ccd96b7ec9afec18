import { NO_TITLE, type CommandData, type ExtraMetadata, type StoredChunk } from '@cairn/contracts';
import { chunkText, type SealedItem } from '@cairn/domain';
import { keyedHash, sealMeta, sealText, type ItemKeys } from '@cairn/vault';
import type { PrepareContext } from './command.js';

/** A new item without plaintext, and the keys that open it. */
export interface Sealed {
  readonly item: SealedItem;
  readonly keys: ItemKeys;
}

interface SealedExtras {
  /** Only for a commit. */
  readonly extra?: ExtraMetadata | undefined;
  /** The account's reference for the item at its source. */
  readonly externalRef?: string | undefined;
}

/** Splits into chunks, creates ids and keys, and seals: no plaintext is left afterwards. */
export const sealItem = (
  workspaceId: string,
  data: CommandData<'item.store'>,
  { vault, ids }: PrepareContext,
  { extra, externalRef }: SealedExtras = {},
): Sealed => {
  const { title = NO_TITLE, text, tags, taskRef, format, clientToken: _, ...command } = data;
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
    ...(format && { format }),
    ...(extra && { extra }),
    ...(externalRef !== undefined && { externalRef }),
    ...(taskRef && { links: [{ type: 'task_knowledge' as const, ...taskRef }] }),
  };
  const sealedMeta = sealMeta(keys.item, workspaceId, itemId, meta).toString('base64');
  return { item: { itemId, command, meta: sealedMeta, chunks }, keys };
};
