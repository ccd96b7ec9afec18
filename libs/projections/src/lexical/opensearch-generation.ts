import { fail } from '@cairn/contracts';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Pool, PoolClient } from 'pg';
import type { Inspection } from '../home.js';
import { generationAlias } from './opensearch-index.js';
import { orUnavailable } from './opensearch-lexical-writer.js';
import { MARK_ID } from './opensearch-mark.js';

/** What the checkpoint says about its index. */
export interface RecordedIndex {
  /** Null if no index was created for this checkpoint yet. */
  readonly generation: string | null;
  readonly position: number;
  /** The index is incomplete below this position. */
  readonly rebuiltTo: number;
}

interface RecordRow {
  readonly generation: string | null;
  readonly position: string;
  readonly rebuilt_to: string;
}

/** The row of the live index. */
const LIVE_SLOT = 'lexical';
const RECORD = 'select generation, position, rebuilt_to from cairn.projections where name = $1';

/** With `lock`, the checkpoint cannot move until the end of the transaction. */
export const recordedIndex = async (
  db: Pool | PoolClient,
  slot: string,
  { lock = false } = {},
): Promise<RecordedIndex> => {
  const { rows } = await db.query<RecordRow>(lock ? `${RECORD} for update` : RECORD, [slot]);
  const { generation, position, rebuilt_to: rebuiltTo } = rows[0] ?? { generation: null, position: 0, rebuilt_to: 0 };
  return { generation, position: Number(position), rebuiltTo: Number(rebuiltTo) };
};

/** A look that fails is repeated soon. */
const ONCE = { requestTimeout: 5_000, maxRetries: 0 };

/** The position in the index's own mark; undefined if there is no index of this generation, or none with a mark. */
const markedPosition = async (client: OpenSearchClient, generation: string): Promise<number | undefined> => {
  const { body, statusCode } = await orUnavailable(() =>
    client.get({ index: generationAlias(generation), id: MARK_ID }, { ...ONCE, ignore: [404] }),
  );
  return statusCode === 404 ? undefined : (body._source as { readonly checkpoint: number }).checkpoint;
};

/**
 * Why the index is not the one that the checkpoint was reached with, if it is not. The record is read before the mark,
 * which is written before the checkpoint moves, so the mark of an intact index is never behind.
 */
export const lossOf = async (
  client: OpenSearchClient,
  { generation, position }: RecordedIndex,
): Promise<string | undefined> => {
  if (generation === null) return 'the keyword index was not built by this version of Cairn';
  const marked = await markedPosition(client, generation);
  if (marked === undefined) return 'the keyword index was deleted or replaced in OpenSearch';
  return marked < position
    ? `the keyword index was set back: OpenSearch has it up to position ${marked}, the checkpoint is ${position}`
    : undefined;
};

const rebuildOf = ({ position, rebuiltTo }: RecordedIndex): string | undefined =>
  position < rebuiltTo
    ? `the keyword index is being rebuilt from the op-log: position ${position} of ${rebuiltTo}`
    : undefined;

/** Looks at the live index: whether it is lost, and why keyword searches are incomplete or unavailable. */
export const inspectKeywordIndex = async (client: OpenSearchClient, pool: Pool): Promise<Inspection> => {
  const recorded = await recordedIndex(pool, LIVE_SLOT);
  const loss = await lossOf(client, recorded);
  if (loss !== undefined) return { isLost: true, problem: `${loss}. Ingest rebuilds it from the op-log.` };
  return { isLost: false, problem: rebuildOf(recorded) };
};

/** The name of the live index for searches. Throws while the index is incomplete. */
export const liveKeywordIndex = async (pool: Pool): Promise<string> => {
  const recorded = await recordedIndex(pool, LIVE_SLOT);
  const problem = recorded.generation === null ? 'the keyword index has not been built yet' : rebuildOf(recorded);
  if (problem !== undefined) throw fail('lexical.unavailable', `${problem}; try again later`);
  return generationAlias(recorded.generation!);
};
