import { folderIsVisible, folderReaderValues, readerSql } from '@cairn/access';
import type { Placed, Tier } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { QueryResultRow } from 'pg';
import type { GraphContext } from './graph-context.js';

interface FolderRow extends QueryResultRow {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
}

const FOLDERS = `select f.id, f.name, f.tier from library.folders f
  where ${folderIsVisible('f', readerSql(1))} and f.id in (select unnest($4::uuid[]))`;

const foldersOf = ({ pool, reader, inTurn }: GraphContext, ids: readonly string[]): Promise<FolderRow[]> => {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return Promise.resolve([]);
  return inTurn(() => readRows<FolderRow>(pool, FOLDERS, [...folderReaderValues(reader), wanted]));
};

/** The placements of things in these folders, for the gateway's last check. */
export const placementsOf = async (
  context: GraphContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<Placed['placement']>>> => {
  const { workspaceId } = context.reader;
  return new Map((await foldersOf(context, ids)).map(({ id, tier }) => [id, { workspaceId, tier }]));
};

/** Display names, keyed by id. */
export const folderNamesOf = async (
  context: GraphContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => new Map((await foldersOf(context, ids)).map(({ id, name }) => [id, name]));
