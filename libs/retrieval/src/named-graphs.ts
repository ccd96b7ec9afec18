import { folderIsVisible, folderReaderValues, readerSql, seesNothing, type FolderReader } from '@cairn/access';
import { GRAPHS_PER_RECALL_MAX, type Tier, type UnknownGraphs } from '@cairn/contracts';
import { readPrepared } from '@cairn/persistence';
import { GRAPH_IS_NAMED } from '@cairn/ranking';
import type { Pool } from 'pg';

interface FolderRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly slug: string;
  readonly tier: Tier;
}

const IS_VISIBLE = folderIsVisible('f', readerSql(1));

const NAMED = `
select named.name, array_remove(array_agg(f.id), null) as "folderIds"
  from unnest($4::text[]) with ordinality as named (name, place)
  left join library.folders f on ${IS_VISIBLE} and ${GRAPH_IS_NAMED}
  group by named.name
  order by min(named.place)`;

const AVAILABLE = `
select f.id, f.workspace_id, f.slug, f.tier
  from library.folders f
  where ${IS_VISIBLE}
  order by f.slug
  limit ${GRAPHS_PER_RECALL_MAX}`;

interface NamedRow {
  readonly name: string;
  readonly folderIds: readonly string[];
}

export interface NamedGraphs {
  readonly folderIds: readonly string[];
  /** The names that match no folder in scope. */
  readonly unknown?: UnknownGraphs;
}

const availableFolders = async (pool: Pool, reader: FolderReader): Promise<UnknownGraphs['available']> => {
  const folders = await readPrepared<FolderRow>(pool, AVAILABLE, folderReaderValues(reader));
  return folders.map(({ id, workspace_id: workspaceId, slug, tier }) => ({
    folderId: id,
    placement: { workspaceId, tier },
    slug,
  }));
};

/**
 * The folders that the names refer to. With names that match no folder in scope, it lists the folders that are in scope. A
 * folder that is sensitive or out of scope is treated like one that does not exist, so the answer cannot reveal it
 * (ADR 0047).
 */
export const namedGraphs = async (pool: Pool, reader: FolderReader, names: readonly string[]): Promise<NamedGraphs> => {
  if (seesNothing(reader)) return { folderIds: [], unknown: { names: [...new Set(names)], available: [] } };
  const named = await readPrepared<NamedRow>(pool, NAMED, [...folderReaderValues(reader), names]);
  const folderIds = [...new Set(named.flatMap((row) => row.folderIds))];
  const unknown = named.filter((row) => row.folderIds.length === 0).map(({ name }) => name);
  if (unknown.length === 0) return { folderIds };
  return { folderIds, unknown: { names: unknown, available: await availableFolders(pool, reader) } };
};
