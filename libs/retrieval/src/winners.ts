import type { ItemMeta } from '@cairn/contracts';
import { openMeta, openText, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { readRows } from './read-rows.js';
import type { SearchScope } from './scope.js';

/** A winning chunk with its text and what its item shows. */
export interface Winner {
  readonly chunkId: string;
  readonly itemId: string;
  readonly folderId: string;
  readonly text: string;
  readonly meta: ItemMeta;
  readonly confidence: number;
  readonly createdByAgentId: string;
  readonly supersededById: string | null;
  readonly expiresAt: string | null;
}

interface WinnerRow {
  readonly chunk_id: string;
  readonly item_id: string;
  readonly folder_id: string;
  readonly text: Buffer;
  readonly chunk_key: Buffer;
  readonly meta: Buffer;
  readonly item_key: Buffer;
  readonly confidence: number;
  readonly created_by_agent_id: string;
  readonly superseded_by_id: string | null;
  readonly expires_at: Date | null;
}

/** Opens wrapped keys that stand beside a row; all of a vault that reading needs. */
export type KeyOpener = Pick<Vault, 'unwrap'>;

const WINNERS = 'select * from retrieval.winners($1, $2, $3, $4)';

const openRow = (vault: KeyOpener, workspaceId: string, row: WinnerRow): Winner => {
  const { chunk_id: chunkId, item_id: itemId } = row;
  const chunkKey = vault.unwrap(workspaceId, chunkId, row.chunk_key);
  const itemKey = vault.unwrap(workspaceId, itemId, row.item_key);
  return {
    chunkId,
    itemId,
    folderId: row.folder_id,
    text: openText(chunkKey, workspaceId, chunkId, row.text),
    meta: openMeta(itemKey, workspaceId, itemId, row.meta),
    confidence: row.confidence,
    createdByAgentId: row.created_by_agent_id,
    supersededById: row.superseded_by_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
};

/**
 * Loads and decrypts the winners only, by one query. The scope is checked again on the item itself: an index may lag
 * behind a folder that was moved or closed a moment ago.
 */
export const loadWinners = async (
  pool: Pool,
  vault: KeyOpener,
  scope: SearchScope,
  chunkIds: readonly string[],
): Promise<ReadonlyMap<string, Winner>> => {
  if (chunkIds.length === 0) return new Map();
  const { workspaceId, folderIds, seesSensitive } = scope;
  const rows = await readRows<WinnerRow>(pool, WINNERS, [chunkIds, workspaceId, folderIds, seesSensitive]);
  return new Map(rows.map((row) => [row.chunk_id, openRow(vault, workspaceId, row)]));
};
