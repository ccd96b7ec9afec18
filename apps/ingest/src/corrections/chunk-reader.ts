import { itemIsVisible, readerOf, readerSql, readerValues } from '@cairn/access';
import type { Principal } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import { openText, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';

/** A chunk to be corrected, decrypted. */
export interface ReadChunk {
  readonly itemId: string;
  readonly key: Uint8Array;
  readonly text: string;
  readonly textHash: string;
}

interface ChunkRow {
  readonly item_id: string;
  readonly text: Buffer;
  readonly hash: string;
  readonly wrapped_key: Buffer;
}

/** The chunk as an MCP tool may show it: nothing of a sensitive folder, whatever the caller's scopes. */
const VISIBLE_CHUNK = `
select b.item_id, b.text, encode(b.text_hash, 'hex') as hash, b.wrapped_key
  from library.bodies b
  join library.items i on i.id = b.item_id
  join library.folders f on f.id = i.folder_id
  where b.chunk_id = $1
    and ${itemIsVisible('i', 'f', readerSql(2))}`;

const visibleChunk = async (pool: Pool, principal: Principal, chunkId: string): Promise<ChunkRow | undefined> => {
  const values = [chunkId, ...readerValues(readerOf(principal, 'mcp'))];
  const [row] = await readRows<ChunkRow & Record<string, unknown>>(pool, VISIBLE_CHUNK, values);
  return row;
};

export const maySeeChunk = async (pool: Pool, principal: Principal, chunkId: string): Promise<boolean> =>
  (await visibleChunk(pool, principal, chunkId)) !== undefined;

export const readChunk = async (
  pool: Pool,
  vault: Vault,
  principal: Principal,
  chunkId: string,
): Promise<ReadChunk | undefined> => {
  const { workspaceId } = principal;
  const row = await visibleChunk(pool, principal, chunkId);
  if (!row) return undefined;
  const key = vault.unwrap(workspaceId, chunkId, row.wrapped_key);
  return { itemId: row.item_id, key, text: openText(key, workspaceId, chunkId, row.text), textHash: row.hash };
};

const EMBEDDED = `
select exists (select from library.chunks where id = $1) as indexed,
       exists (
         select from library.chunks c
         join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash
         where c.id = $1
       ) as embedded`;

/** Whether the chunk's present text has a vector; undefined outside the knowledge base, where it gets none. */
export const hasVector = async (pool: Pool, chunkId: string): Promise<boolean | undefined> => {
  const [row] = await readRows<{ indexed: boolean; embedded: boolean }>(pool, EMBEDDED, [chunkId]);
  return row!.indexed ? row!.embedded : undefined;
};
