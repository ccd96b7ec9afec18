import { itemIsVisible, readerSql, readerValues } from '@cairn/access';
import { readRows } from '@cairn/persistence';
import type { QueryResultRow } from 'pg';
import type { GraphContext } from './graph-context.js';

interface KeyRow extends QueryResultRow {
  readonly chunk_id: string;
  readonly wrapped_key: Buffer;
}

const KEYS = `
select b.chunk_id, b.wrapped_key
  from library.bodies b
  join library.items i on i.id = b.item_id
  join library.folders f on f.id = i.folder_id
  where b.chunk_id in (select unnest($5::uuid[]))
    and (${itemIsVisible('i', 'f', readerSql(1))}) is true`;

/** The keys of chunks that the reader may see, from which the references of their edges are computed. */
export const chunkKeys = async (
  { pool, vault, reader, inTurn }: GraphContext,
  chunkIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  if (chunkIds.length === 0) return new Map();
  const values = [...readerValues({ ...reader, kbOnly: true }), [...new Set(chunkIds)]];
  const rows = await inTurn(() => readRows<KeyRow>(pool, KEYS, values));
  return new Map(rows.map(({ chunk_id: id, wrapped_key: key }) => [id, vault.unwrap(reader.workspaceId, id, key)]));
};
