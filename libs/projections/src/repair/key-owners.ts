import type { KeyRecord } from '@cairn/vault';
import type { Pool } from 'pg';

/** An owner of keys, as the library knows it. */
export interface KeyOwner {
  readonly id: string;
  readonly workspaceId: string;
  /** The wrapped keys; undefined if they were destroyed: the owner is forgotten, or has ended. */
  readonly record: KeyRecord | undefined;
  /** Chunks of a living item that were forgotten. */
  readonly forgottenChunks: readonly string[];
}

interface OwnerRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly wrapped_key: Buffer | null;
  readonly chunk_ids: string[] | null;
  readonly chunk_keys: Buffer[] | null;
  readonly forgotten: string[] | null;
}

const PAGE = 500;
/** Smaller than any other id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const ITEMS = `select i.id, i.workspace_id, i.wrapped_key, b.chunk_ids, b.chunk_keys,
    array(select c from library.forgets f, unnest(f.chunk_ids) as c where f.item_id = i.id) as forgotten
  from library.items i left join lateral (
    select array_agg(chunk_id::text) as chunk_ids, array_agg(wrapped_key) as chunk_keys
    from library.bodies where item_id = i.id
  ) b on true
  where i.id > $1 order by i.id limit $2`;

/** Everything else that has a key of its own. A forgotten item never had the id of anything else. */
const OTHERS = `select id, workspace_id, wrapped_key, null as chunk_ids, null as chunk_keys, null as forgotten from (
    select id, workspace_id, wrapped_key from library.confirmations
    union all select id, workspace_id, wrapped_key from library.accounts
    union all select id, workspace_id, wrapped_key from library.external_mcp_servers
    union all select item_id, workspace_id, null from library.forgets where source_removed
  ) owners where id > $1 order by id limit $2`;

const base64 = (bytes: Buffer): string => bytes.toString('base64');

const ownerOf = (row: OwnerRow): KeyOwner => {
  const { id, workspace_id: workspaceId, wrapped_key: key, chunk_ids: chunkIds, chunk_keys: chunkKeys } = row;
  const forgottenChunks = row.forgotten ?? [];
  const living = (chunkIds ?? []).map((chunkId, i) => [chunkId, base64(chunkKeys![i]!)] as const);
  // An empty key marks a forgotten chunk, so that it is not taken for a lost one.
  const gone = forgottenChunks.map((chunkId) => [chunkId, ''] as const);
  const record = key ? { item: base64(key), chunks: Object.fromEntries([...living, ...gone]) } : undefined;
  return { id, workspaceId, record, forgottenChunks };
};

async function* pagesOf(pool: Pool, sql: string): AsyncGenerator<readonly KeyOwner[], void, void> {
  for (let after = FIRST_ID; ;) {
    const { rows }: { rows: OwnerRow[] } = await pool.query<OwnerRow>(sql, [after, PAGE]);
    if (rows.length > 0) yield rows.map(ownerOf);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

/** Every owner of keys, page by page: the key store can be written again from them. */
export async function* keyOwners(pool: Pool): AsyncGenerator<readonly KeyOwner[], void, void> {
  yield* pagesOf(pool, ITEMS);
  yield* pagesOf(pool, OTHERS);
}

export const countKeyOwners = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(`select (
      (select count(*) from library.items) + (select count(*) from library.confirmations)
      + (select count(*) from library.accounts) + (select count(*) from library.external_mcp_servers)
      + (select count(*) from library.forgets where source_removed))::int as n`);
  return rows[0]!.n;
};
