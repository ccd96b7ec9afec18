import { decodeOp } from '@cairn/op-log';
import { archivedOps, isErasedBody, readSlot } from '@cairn/projections';
import type { Pool } from 'pg';
import { RefusedError } from '../exit.js';
import { ChainCheck, type Explained } from '../oplog/chain-check.js';
import type { Progress } from './progress.js';

/** An archive that can stand in for the log. */
export interface CheckedArchive {
  /** The position of the last op. */
  readonly head: number;
  /** Ops that are not forgotten. */
  readonly ops: number;
  /** Positions of forgotten ops. They stay empty. */
  readonly explained: ReadonlyMap<number, Explained>;
}

const applied = async (pool: Pool): Promise<number> => {
  const exists = await pool.query<{ projections: string | null }>(
    `select to_regclass('cairn.projections')::text as projections`,
  );
  const archive = exists.rows[0]!.projections === null ? undefined : await readSlot(pool, 'archive');
  if (!archive || archive.checkpoint.position === 0)
    throw new RefusedError('this database has no archive, so the op-log cannot be written from it');
  return archive.checkpoint.position;
};

/** The head of each workspace in the library must be the head of its chain in the archive. */
const differingHead = async (pool: Pool, heads: ReadonlyMap<string, string>): Promise<string | undefined> => {
  const { rows } = await pool.query<{ id: string; head_hash: string }>('select id, head_hash from library.workspaces');
  return rows.find(({ id, head_hash: hash }) => heads.get(id) !== hash)?.id;
};

/** Reads the whole archive and refuses one with a gap, a changed op or a broken chain. Writes nothing. */
export const checkArchive = async (pool: Pool, onProgress: Progress): Promise<CheckedArchive> => {
  const head = await applied(pool);
  const check = new ChainCheck('archive');
  let reached = 0;
  for await (const page of archivedOps(pool, 0)) {
    for (const { position, subject, body } of page)
      if (!isErasedBody(body)) check.take(decodeOp(position, subject, body));
    reached = page.at(-1)!.position;
    onProgress('archive', reached, head);
  }
  if (reached !== head)
    throw new RefusedError(`the archive ends at ${reached}, but ${head} ops were applied to this database`);
  const [finding] = check.judge();
  if (finding) throw new RefusedError(`the archive is damaged: position ${finding.position}: ${finding.problem}`);
  const workspace = await differingHead(pool, check.heads);
  if (workspace !== undefined)
    throw new RefusedError(`the archive and the library end at different ops of workspace ${workspace}`);
  return { head, ops: check.ops, explained: check.explained };
};
