import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { shownTitle, type RecallAnswer, type RecalledChunk, type Tier } from '@cairn/contracts';
import { readPrepared } from '@cairn/persistence';
import type { FirstBody } from '@cairn/ranking';
import { openMeta, openText } from '@cairn/vault';
import { firstTextOf } from './first-body.js';
import { cosineOnly } from './fusion.js';
import { vectorParameter } from './query-vector.js';
import { withinCaps } from './recall-cap.js';
import { CHUNK_EF_SEARCH } from './search-chunks.js';
import { candidatesFor, statement, timed, type SearchContext } from './search-context.js';
import { unknownGraphs } from './unknown-graphs.js';
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

interface RecalledRow extends FirstBody {
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

const RECALLED = 'select * from retrieval.recalled_chunks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

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

const nearest = async (context: SearchContext, recall: ChunkRecall): Promise<RecallAnswer> => {
  const { query, graphs, topK, minScore, explain, reader } = recall;
  if (seesNothing(reader)) return { results: [], truncated: false };
  const { model, vector } = await timed(context, 'embed', () => context.embed(query));
  const where = [...folderReaderValues(reader), graphs ?? null];
  const what = [model, vectorParameter(vector), CHUNK_EF_SEARCH, candidatesFor(topK), minScore, topK];
  const rows = await statement(context, 'recall', () =>
    readPrepared<RecalledRow>(context.pool, RECALLED, [...where, ...what]),
  );
  const kept = withinCaps(rows);
  const results = kept.map((row) => openRow(context.vault, reader.workspaceId, row));
  return { results: explain ? explained(results) : results, truncated: kept.length < rows.length };
};

/**
 * `recall`: the nearest chunks by cosine alone. `minScore` applies first, then `topK`, then each folder's cap: chunks
 * below do not fill in for those that a cap drops. Uses one leg, and fails with it.
 */
export const recallChunks = async (context: SearchContext, recall: ChunkRecall): Promise<RecallAnswer> => {
  const { graphs, reader } = recall;
  // The names are looked up while the query is embedded.
  const [answer, unknown] = await Promise.all([
    nearest(context, recall),
    graphs && context.inTurn(() => unknownGraphs(context.pool, reader, graphs)),
  ]);
  return unknown ? { ...answer, unknownGraphs: unknown } : answer;
};
