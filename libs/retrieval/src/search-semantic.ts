import { folderReaderValues, itemIsVisible, readerSql, seesNothing, type FolderReader } from '@cairn/access';
import { meshUriOf, type Provenance, type Retention, type SemanticAnswer, type SemanticHit } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import { openMeta } from '@cairn/vault';
import type { Candidate } from './candidate.js';
import { CHUNK_EF_SEARCH } from './query-vector.js';
import { candidatesFor, nearest, statement, timed, type SearchContext } from './search-context.js';
import { loadWinners } from './winners.js';

export interface SemanticSearch {
  readonly query: string;
  readonly limit: number;
  readonly minSimilarity: number;
  readonly reader: FolderReader;
}

interface SourceRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly folderName: string;
  readonly sourceKind: Provenance['source']['kind'];
  readonly agentId: string;
  readonly createdAt: Date;
  readonly position: string;
  readonly meta: Buffer;
  readonly wrappedKey: Buffer;
  readonly retention: Retention;
  readonly accountId: string | null;
  readonly connectorId: string | null;
}

/** Items are looked up by id, so the visibility rule must not become an index condition (`visible.sql.ts`). */
const SOURCES = `
select i.id, i.workspace_id as "workspaceId", f.name as "folderName", i.source_kind as "sourceKind",
       i.created_by_agent_id as "agentId", i.created_at as "createdAt", i.position, i.meta, i.wrapped_key as "wrappedKey",
       i.retention, i.account_id as "accountId", a.connector_id as "connectorId"
  from library.items i
  join library.folders f on f.id = i.folder_id
  left join library.accounts a on a.id = i.account_id
  where i.id = any ($4)
    and (${itemIsVisible('i', 'f', { ...readerSql(1), kbOnly: true })}) is true`;

const provenanceOf = ({ vault }: Pick<SearchContext, 'vault'>, row: SourceRow): Provenance => {
  const { id, workspaceId, sourceKind: kind, folderName, agentId } = row;
  const { sourceName: name, sourceUri: uri } = openMeta(
    vault.unwrap(workspaceId, id, row.wrappedKey),
    workspaceId,
    id,
    row.meta,
  );
  return {
    source: { kind, ...(name !== undefined && { name }), ...(uri !== undefined && { uri }) },
    folderName,
    agentId,
    createdAt: new Date(row.createdAt).toISOString(),
    position: Number(row.position),
  };
};

type Source = Pick<SemanticHit, 'provenance' | 'meshUri'>;

const sourcesOf = async (
  context: SearchContext,
  reader: FolderReader,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, Source>> => {
  if (itemIds.length === 0) return new Map();
  const rows = await readRows<SourceRow>(context.pool, SOURCES, [...folderReaderValues(reader), [...new Set(itemIds)]]);
  return new Map(
    rows.map((row) => [
      row.id,
      { provenance: provenanceOf(context, row), meshUri: meshUriOf({ ...row, itemId: row.id }) },
    ]),
  );
};

/** The fields of hits that still exist: an index may lag behind an item that was just moved or replaced. */
const loaded = async (
  context: SearchContext,
  reader: FolderReader,
  candidates: readonly Candidate[],
): Promise<SemanticHit[]> => {
  const chunkIds = candidates.map(({ chunkId }) => chunkId);
  const winners = await loadWinners(context.pool, context.vault, reader, chunkIds);
  const itemIds = [...winners.values()].map(({ itemId }) => itemId);
  const sources = await sourcesOf(context, reader, itemIds);
  return candidates.flatMap(({ chunkId, score: similarity }) => {
    const winner = winners.get(chunkId);
    const source = winner && sources.get(winner.itemId);
    return winner && source ? [{ ...winner, similarity, ...source }] : [];
  });
};

const hitsOf = async (
  context: SearchContext,
  { reader, limit }: SemanticSearch,
  candidates: readonly Candidate[],
): Promise<SemanticHit[]> => {
  const hits: SemanticHit[] = [];
  for (let [from, to] = [0, limit]; from < candidates.length && hits.length < limit; [from, to] = [to, 2 * to])
    hits.push(...(await loaded(context, reader, candidates.slice(from, to))));
  return hits.slice(0, limit);
};

/** By cosine alone, without fusion: the score of a hit is the similarity itself, and means the same in every answer. */
export const searchSemantic = async (
  context: SearchContext,
  search: SemanticSearch,
): Promise<Omit<SemanticAnswer, 'stale'>> => {
  const { query, limit, minSimilarity, reader } = search;
  const embedded = await timed(context, 'embed', () => context.embed(query));
  const { model } = embedded;
  if (seesNothing(reader)) return { hits: [], model, best: null };
  const request = { reader, limit: candidatesFor(limit) };
  const candidates = await nearest(context, embedded, CHUNK_EF_SEARCH, request);
  const near = candidates.filter(({ score }) => score >= minSimilarity);
  const hits = await statement(context, 'load', () => hitsOf(context, search, near));
  return { hits, model, best: candidates[0]?.score ?? null };
};
