import { vectorMessageId, vectorSubject, VECTORS_PLACEHOLDER_SUBJECT, VECTORS_STREAM } from '@cairn/contracts';
import { setGeneration, StreamRefill, type LostMessage } from '@cairn/op-log';
import { lostFailures, lostVectors, readSlot, type LostVector } from '@cairn/projections';
import type { Engines } from '../connection.js';
import type { Progress } from './progress.js';

/** Below the broker's limit for one batch. */
const FAILURES_TOGETHER = 500;

const lostMessage = ({ position, message }: LostVector): LostMessage => ({
  position,
  subject: vectorSubject(message.workspace, message.itemId),
  body: JSON.stringify(message),
  id: vectorMessageId(message),
});

interface ForgottenRow {
  readonly workspace_id: string;
  readonly item_id: string;
  readonly chunk_ids: string[] | null;
}

/** A stream from an earlier backup still has the vectors of what was forgotten since. */
const eraseForgotten = async ({ pool, vectors }: Engines): Promise<void> => {
  const { rows } = await pool.query<ForgottenRow>(
    `select workspace_id, item_id, case when not source_removed then chunk_ids::text[] end as chunk_ids
     from library.forgets`,
  );
  for (const { workspace_id: workspaceId, item_id: itemId, chunk_ids: chunkIds } of rows)
    await vectors.erase(await vectors.positionsOf(workspaceId, itemId, chunkIds ?? undefined));
};

/** Ingest takes a stream of another generation for lost, and would have all texts embedded again. */
const keepGeneration = async ({ nats, pool }: Engines): Promise<void> => {
  const { rows } = await pool.query<{ generation: string | null }>(
    `select generation from cairn.projections where name = 'vectors'`,
  );
  const generation = rows[0]?.generation;
  if (generation) await setGeneration(nats, VECTORS_STREAM, generation);
};

/**
 * Writes VECTORS from the table, each vector at its position, so that nothing is embedded again and a rebuild gives the
 * same rows. Earlier vectors of changed texts are not in the table and do not come back. Returns how many were written.
 */
export const restoreVectors = async (engines: Engines, onProgress: Progress): Promise<number> => {
  const { nats, pool, vault, vectors } = engines;
  const stream = new StreamRefill(nats, VECTORS_STREAM, VECTORS_PLACEHOLDER_SUBJECT);
  await stream.erasePlaceholders();
  await keepGeneration(engines);
  const { last, messages } = await stream.state();
  const end = (await readSlot(pool, 'vectors'))?.checkpoint.position ?? 0;
  if (messages > 0) await eraseForgotten(engines);
  if (last >= end) return 0;
  let [reached, written] = [last, 0];
  for await (const page of lostVectors(pool, vault)) {
    const lost = page.filter(({ position }) => position > reached && position <= end);
    if (lost.length === 0) continue;
    const upTo = lost.at(-1)!.position;
    await stream.write(lost.map(lostMessage), reached, upTo);
    [reached, written] = [upTo, written + lost.length];
    onProgress('vectors', reached, end);
  }
  await stream.write([], reached, end);
  const failures = await lostFailures(pool);
  for (let start = 0; start < failures.length; start += FAILURES_TOGETHER)
    await vectors.publish(...failures.slice(start, start + FAILURES_TOGETHER));
  onProgress('vectors', end, end);
  return written;
};
