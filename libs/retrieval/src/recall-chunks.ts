import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { shownTitle, type RecallAnswer, type RecalledChunk, type Tier } from '@cairn/contracts';
import { readPrepared } from '@cairn/persistence';
import type { FirstBody } from '@cairn/ranking';
import { openMeta, openText } from '@cairn/vault';
import { firstTextOf } from './first-body.js';
import { cosineOnly } from './fusion.js';
import { namedGraphs } from './named-graphs.js';
import { proposalValues, reportUse, type ProposalUseRow } from './proposal-values.js';
import { CHUNK_EF_SEARCH, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import { withinCaps } from './recall-cap.js';
import { candidatesFor, proposed, statement, timed, type SearchContext } from './search-context.js';
import type { KeyOpener } from './winners.js';

export interface ChunkRecall {
  readonly query: string;
  /** Slugs or display names; undefined means every folder in scope. */
  readonly graphs: readonly string[] | undefined;
  readonly topK: number;
  readonly minScore: number;
  readonly explain: boolean;
  readonly reader: FolderReader;
}

interface RecalledRow extends FirstBody, ProposalUseRow {
  readonly chunk_id: string;
  readonly item_id: string;
  readonly folder_id: string;
  readonly workspace_id: string;
  readonly graph: string;
  readonly tier: Tier;
  readonly cap: number | null;
  readonly score: number;
  readonly text: Buffer;
  readonly chunk_key: Buffer;
  readonly tokens: number;
  readonly meta: Buffer;
  readonly item_key: Buffer;
  readonly updated_at: Date;
}

const RECALLED =
  'select * from retrieval.recalled_nearest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)';

const openRow = (vault: KeyOpener, workspaceId: string, row: RecalledRow): RecalledChunk => {
  const { chunk_id: chunkId, item_id: itemId, folder_id: folderId, graph, score, tokens } = row;
  const text = openText(vault.unwrap(workspaceId, chunkId, row.chunk_key), workspaceId, chunkId, row.text);
  const meta = openMeta(vault.unwrap(workspaceId, itemId, row.item_key), workspaceId, itemId, row.meta);
  const sourceName = meta.sourceName ?? shownTitle(meta.title, () => firstTextOf(vault, workspaceId, row) ?? text);
  const placement = { workspaceId: row.workspace_id, tier: row.tier };
  const updatedAt = row.updated_at.toISOString();
  return { chunkId, itemId, folderId, placement, graph, text, score, sourceName, updatedAt, tokens };
};

/** The explanation that semantic mode would give for the same hits: only the cosine. */
const explained = (results: readonly RecalledChunk[]): RecalledChunk[] => {
  const fused = cosineOnly.fuse([{ leg: 'vector', hits: results.map(({ chunkId: id, score }) => ({ id, score })) }]);
  return results.map((result, i) => ({ ...result, explain: { fusion: cosineOnly.name, legs: fused[i]!.legs } }));
};

/** The rows of the nearest chunks that the reader may see. */
const recalledRows = async (
  context: SearchContext,
  { model, vector }: EmbeddedQuery,
  { topK, minScore, reader }: ChunkRecall,
): Promise<RecalledRow[]> => {
  const limit = candidatesFor(topK);
  const proposal = await proposed(context, { model, vector }, { reader, limit });
  const what = [model, vectorParameter(vector), CHUNK_EF_SEARCH, limit, minScore, topK];
  const values = [...folderReaderValues(reader), ...what, ...proposalValues(proposal)];
  const rows = await statement(context, 'recall', () => readPrepared<RecalledRow>(context.pool, RECALLED, values));
  reportUse(proposal, rows[0]);
  return rows;
};

const answerFrom = ({ vault }: SearchContext, { reader, explain }: ChunkRecall, rows: RecalledRow[]): RecallAnswer => {
  const kept = withinCaps(rows);
  const results = kept.map((row) => openRow(vault, reader.workspaceId, row));
  return { results: explain ? explained(results) : results, truncated: kept.length < rows.length };
};

/**
 * `recall`: the nearest chunks by cosine alone, in every folder that the reader may see or in the named ones. `minScore`
 * applies first, then `topK`, then each folder's cap: chunks below do not fill in for those that a cap drops. Uses one
 * leg, and fails with it.
 */
export const recallChunks = async (context: SearchContext, recall: ChunkRecall): Promise<RecallAnswer> => {
  const { query, graphs, reader } = recall;
  // The names are looked up while the query is embedded.
  const [embedded, named] = await Promise.all([
    seesNothing(reader) ? undefined : timed(context, 'embed', () => context.embed(query)),
    graphs && context.inTurn(() => namedGraphs(context.pool, reader, graphs)),
  ]);
  const within = named ? { ...reader, folderIds: named.folderIds } : reader;
  const rows =
    embedded && !seesNothing(within) ? await recalledRows(context, embedded, { ...recall, reader: within }) : [];
  const answer = answerFrom(context, recall, rows);
  return named?.unknown ? { ...answer, unknownGraphs: named.unknown } : answer;
};
