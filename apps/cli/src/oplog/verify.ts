import { plural } from '@cairn/contracts';
import type { OpLog, StoredOp } from '@cairn/op-log';
import { erasedBody, homeOf, PROJECTIONS, readSlot } from '@cairn/projections';
import type { Pool } from 'pg';
import type { Engines } from '../connection.js';
import { ChainCheck, type Explained, type Finding } from './chain-check.js';

export interface VerifyReport {
  readonly ops: number;
  readonly workspaces: number;
  readonly head: number;
  readonly archived: number;
  /** Ops that were erased because their content was forgotten. */
  readonly erased: number;
  readonly counts: readonly { readonly what: string; readonly inLog: number; readonly inLibrary: number }[];
  readonly findings: readonly Finding[];
}

const BATCH = 500;
const READ_WAIT_MS = 5_000;

/** Ops whose archived copy is missing or differs, each with the copy. */
const archiveDifferences = async (pool: Pool, ops: readonly StoredOp[], upTo: number): Promise<Difference[]> => {
  const covered = ops.filter(({ position }) => position <= upTo);
  if (covered.length === 0) return [];
  const archived = await archivedBodies(
    pool,
    covered.map(({ position }) => position),
  );
  return covered.flatMap(({ position, body }) => {
    const copy = archived.get(position);
    return copy?.equals(body) ? [] : [{ position, copy }];
  });
};

interface Difference {
  readonly position: number;
  readonly copy: Buffer | undefined;
}

export const archivedBodies = async (
  pool: Pool,
  positions: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> => {
  const { rows } = await pool.query<{ position: string; body: Buffer }>(
    'select position, body from archive.ops where position = any($1::bigint[])',
    [positions],
  );
  return new Map(rows.map(({ position, body }) => [Number(position), body]));
};

/** The copy of a forgotten op is blanked to bytes that are derived from its forgetting. */
const isBlanked = (copy: Buffer, explained: Explained | undefined): boolean =>
  explained !== undefined && copy.equals(erasedBody(explained.op, explained.itemId));

const differencesFound = (differences: readonly Difference[], explained: ReadonlyMap<number, Explained>): Finding[] =>
  differences.flatMap(({ position, copy }) => {
    if (!copy) return [{ position, problem: 'missing from the archive' }];
    return isBlanked(copy, explained.get(position))
      ? []
      : [{ position, problem: 'differs between stream and archive' }];
  });

/** Remains in the archive of ops that are erased from the stream. */
const erasedDifferences = async (pool: Pool, check: ChainCheck, upTo: number): Promise<Difference[]> => {
  const positions = check.erased.filter((position) => position <= upTo);
  const archived = await archivedBodies(pool, positions);
  return positions.map((position) => ({ position, copy: archived.get(position) }));
};

/** One consistent snapshot; undefined while the library is behind the head, since the two cannot be compared then. */
const libraryCounts = async (pool: Pool, head: number): Promise<Record<string, number> | undefined> => {
  const { rows } = await pool.query<Record<string, string>>(`
    select (select position from cairn.projections where name = 'library') as position,
      (select count(*) from library.workspaces) as "workspace.created",
      (select count(*) from library.folders) as "folder.created",
      (select count(*) from library.tokens) as "token.issued",
      (select count(*) from library.tokens where revoked_at is not null) as "token.revoked",
      (select count(*) from library.items) as "item.stored"`);
  const { position, ...counts } = rows[0]!;
  if (Number(position) !== head) return undefined;
  return Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, Number(count)]));
};

/** Reads the log once, up to the head it had at the start, and passes each batch to `take`. */
const readAll = async (
  log: OpLog,
  head: number,
  take: (ops: readonly StoredOp[]) => Promise<void>,
): Promise<number> => {
  const reader = log.read(1);
  let position = 0;
  try {
    while (position < head) {
      const ops = (await reader.next(BATCH, READ_WAIT_MS)).filter((entry) => entry.position <= head);
      if (ops.length === 0) break;
      await take(ops);
      position = ops.at(-1)!.position;
    }
  } finally {
    await reader.close();
  }
  return position;
};

/** Counts the ops that only the archive has; all others are compared one by one. */
const archiveSurplus = async (
  pool: Pool,
  ops: number,
  upTo: number,
): Promise<{ archived: number; findings: Finding[] }> => {
  const { rows } = await pool.query<{ n: string }>('select count(*) as n from archive.ops where position <= $1', [
    upTo,
  ]);
  const archived = Number(rows[0]!.n);
  const surplus = archived - ops;
  return {
    archived,
    findings: surplus > 0 ? [{ position: upTo, problem: `only in the archive: ${plural(surplus, 'op')}` }] : [],
  };
};

/** Read models outside Postgres that do not hold what their checkpoint stands for. */
const outsideFindings = async (engines: Engines, head: number): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const projection of PROJECTIONS) {
    const problem = await homeOf(projection, engines).outside?.verify();
    if (problem !== undefined) findings.push({ position: head, problem });
  }
  return findings;
};

/**
 * Checks sequence continuity, the hash chain, the stream against the archive, counts against the library, and the keyword
 * index in OpenSearch. Reads only.
 */
export const verifyOpLog = async (
  engines: Engines,
  onProgress: (done: number, head: number) => void,
): Promise<VerifyReport> => {
  const { log, pool } = engines;
  const head = await log.head();
  const archiveEnd = (await readSlot(pool, 'archive'))?.checkpoint.position ?? 0;
  const check = new ChainCheck();
  const differences: Difference[] = [];
  let archivable = 0;
  const reached = await readAll(log, head, async (ops) => {
    for (const op of ops) check.take(op);
    archivable += ops.filter(({ position }) => position <= archiveEnd).length;
    differences.push(...(await archiveDifferences(pool, ops, archiveEnd)));
    onProgress(ops.at(-1)!.position, head);
  });
  const erased = await erasedDifferences(pool, check, archiveEnd);
  const expected = archivable + erased.length;
  const { archived, findings: surplus } = await archiveSurplus(pool, expected, Math.min(archiveEnd, head));
  const counts = countsOf(check, await libraryCounts(pool, head));
  const findings = [
    ...check.judge(),
    ...(reached < head
      ? [{ position: reached + 1, problem: `the stream could not be read to its head at ${head}` }]
      : []),
    ...differencesFound([...differences, ...erased], check.explained),
    ...surplus,
    ...(await outsideFindings(engines, head)),
    ...counts
      .filter((count) => count.inLog !== count.inLibrary)
      .map(({ what, inLog, inLibrary: found }) => ({
        position: head,
        problem: `${what}: ${inLog} in the log, ${found} in the library`,
      })),
  ];
  const { ops, heads } = check;
  return { ops, workspaces: heads.size, head, archived, erased: check.erased.length, counts, findings };
};

const countsOf = (check: ChainCheck, inLibrary: Readonly<Record<string, number>> = {}): VerifyReport['counts'] =>
  Object.entries(inLibrary).map(([what, count]) => ({
    what,
    inLog: (check.counts.get(what) ?? 0) - (what === 'item.stored' ? check.forgottenButThere : 0),
    inLibrary: count,
  }));
