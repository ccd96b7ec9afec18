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

const UNKNOWN = `
select named.name
  from unnest($4::text[]) with ordinality as named (name, place)
  where not exists (select from library.folders f where ${IS_VISIBLE} and ${GRAPH_IS_NAMED})
  order by named.place`;

const AVAILABLE = `
select f.id, f.workspace_id, f.slug, f.tier
  from library.folders f
  where ${IS_VISIBLE}
  order by f.slug
  limit ${GRAPHS_PER_RECALL_MAX}`;

/**
 * The names that match no folder in scope, with the folders that are in scope. A folder that is sensitive or out of
 * scope is treated like one that does not exist, so the answer cannot reveal it (ADR 0047).
 */
export const unknownGraphs = async (
  pool: Pool,
  reader: FolderReader,
  names: readonly string[],
): Promise<UnknownGraphs | undefined> => {
  if (seesNothing(reader)) return { names: [...new Set(names)], available: [] };
  const where = folderReaderValues(reader);
  const unknown = await readPrepared<{ name: string }>(pool, UNKNOWN, [...where, names]);
  if (unknown.length === 0) return undefined;
  const folders = await readPrepared<FolderRow>(pool, AVAILABLE, where);
  return {
    names: [...new Set(unknown.map(({ name }) => name))],
    available: folders.map(({ id, workspace_id: workspaceId, slug, tier }) => ({
      folderId: id,
      placement: { workspaceId, tier },
      slug,
    })),
  };
};
