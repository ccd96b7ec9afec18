import type { StoredChunk } from '@cairn/contracts';
import { countTokens, type SealedBatch } from '@cairn/domain';
import { packItems, packLines, type SubstrateTable } from '@cairn/graph';
import { keyedHash, sealMeta, sealText, type ItemKeys } from '@cairn/vault';
import type { PrepareContext } from '../commands/command.js';

/** A batch without plaintext, and the keys that open it. */
export interface SealedRows {
  readonly batch: SealedBatch;
  readonly keys: ItemKeys;
}

/** The table and the month of the rows. */
export interface BatchOf {
  readonly workspaceId: string;
  readonly source: string;
  readonly table: SubstrateTable;
  readonly month: string;
  readonly kind: SealedBatch['kind'];
}

const titleOf = ({ table, month, kind }: BatchOf): string =>
  kind === 'rollup' ? `${table.name} ${month}, daily totals` : `${table.name} ${month}`;

const sealOne = (of: BatchOf, texts: readonly string[], { vault, ids }: PrepareContext): SealedRows => {
  const { workspaceId, source, kind } = of;
  const itemId = ids.next();
  const pieces = texts.map((text) => ({ text, id: ids.next() }));
  const keys = vault.mint(
    workspaceId,
    itemId,
    pieces.map(({ id }) => id),
  );
  const chunks = pieces.map(({ id, text }, ordinal): StoredChunk => {
    const key = keys.chunks.get(id)!;
    return {
      chunkId: id,
      ordinal,
      text: sealText(key, workspaceId, id, text).toString('base64'),
      textHash: keyedHash(key, text),
      tokens: countTokens(text),
    };
  });
  const meta = { title: titleOf(of), tags: [], sourceName: source };
  const sealedMeta = sealMeta(keys.item, workspaceId, itemId, meta).toString('base64');
  return { batch: { itemId, kind, meta: sealedMeta, chunks }, keys };
};

/** The items of these lines: one, or several if one op cannot carry them. */
export const sealLines = (of: BatchOf, lines: readonly string[], context: PrepareContext): SealedRows[] =>
  packItems(packLines(lines)).map((texts) => sealOne(of, texts, context));

/** Makes the keys of all batches durable. */
export const keepBatches = async (
  workspaceId: string,
  sealed: readonly SealedRows[],
  { vault }: Pick<PrepareContext, 'vault'>,
): Promise<void> => {
  await Promise.all(sealed.map(({ batch, keys }) => vault.keep(workspaceId, batch.itemId, keys)));
};
