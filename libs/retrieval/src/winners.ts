import { folderReaderValues, type FolderReader } from '@cairn/access';
import { shownTitle, type Placed, type Tier } from '@cairn/contracts';
import { readPrepared } from '@cairn/persistence';
import type { FirstBody } from '@cairn/ranking';
import { openMeta, openText, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { firstTextOf } from './first-body.js';

/** A winning chunk with its text and the shown fields of its item. */
export interface Winner extends Placed {
  readonly chunkId: string;
  readonly itemId: string;
  readonly title: string;
  readonly text: string;
}

/** A winner as the database returns it: sealed, with its wrapped keys. */
export interface WinnerRow extends FirstBody {
  readonly chunk_id: string;
  readonly item_id: string;
  readonly folder_id: string;
  readonly workspace_id: string;
  readonly tier: Tier;
  readonly text: Buffer;
  readonly chunk_key: Buffer;
  /** Set for an item's first chunk; the others have the sealed title and its key. */
  readonly title: string | null;
  readonly meta: Buffer | null;
  readonly item_key: Buffer | null;
}

/** Opens wrapped keys that are stored next to a row: the only part of a vault that reading needs. */
export type KeyOpener = Pick<Vault, 'unwrap'>;

const WINNERS = 'select * from retrieval.winning_chunks($1, $2, $3, $4)';

const storedTitle = (vault: KeyOpener, workspaceId: string, row: WinnerRow): string =>
  row.title ??
  openMeta(vault.unwrap(workspaceId, row.item_id, row.item_key!), workspaceId, row.item_id, row.meta!).title;

export const openWinner = (vault: KeyOpener, workspaceId: string, row: WinnerRow): Winner => {
  const { chunk_id: chunkId, item_id: itemId, folder_id: folderId } = row;
  const chunkKey = vault.unwrap(workspaceId, chunkId, row.chunk_key);
  const text = openText(chunkKey, workspaceId, chunkId, row.text);
  const placement = { workspaceId: row.workspace_id, tier: row.tier };
  const stored = storedTitle(vault, workspaceId, row);
  const title = shownTitle(stored, () => firstTextOf(vault, workspaceId, row) ?? text);
  return { chunkId, itemId, folderId, placement, title, text };
};

/**
 * Loads and decrypts only the winners, in one query. The scope is checked again on the item itself, and so is whether
 * it is current: an index may lag behind an item that was just moved, replaced or expired.
 */
export const loadWinners = async (
  pool: Pool,
  vault: KeyOpener,
  reader: FolderReader,
  chunkIds: readonly string[],
): Promise<ReadonlyMap<string, Winner>> => {
  if (chunkIds.length === 0) return new Map();
  const rows = await readPrepared<WinnerRow>(pool, WINNERS, [chunkIds, ...folderReaderValues(reader)]);
  return new Map(rows.map((row) => [row.chunk_id, openWinner(vault, reader.workspaceId, row)]));
};
