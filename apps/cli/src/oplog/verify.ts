import { GENESIS_HASH } from '@cairn/contracts';
import { decodeEnvelope, isIntact, type OpLog, type StoredOp } from '@cairn/op-log';
import { readSlot } from '@cairn/projections';
import type { Pool } from 'pg';
import type { Engines } from '../connection.js';

export interface Finding {
  readonly position: number;
  readonly problem: string;
}

export interface VerifyReport {
  readonly ops: number;
  readonly workspaces: number;
  readonly head: number;
  readonly archived: number;
  readonly counts: readonly { readonly what: string; readonly inLog: number; readonly inLibrary: number }[];
  readonly findings: readonly Finding[];
}

const BATCH = 500;
const READ_WAIT_MS = 5_000;

/** Follows each workspace's hash chain and the sequence of the whole log. */
class ChainCheck {
  readonly findings: Finding[] = [];
  readonly heads = new Map<string, string>();
  readonly counts = new Map<string, number>();
  ops = 0;
  private position = 0;

  take({ position, body, op }: StoredOp): void {
    for (let missing = this.position + 1; missing < position; missing++) {
      this.findings.push({ position: missing, problem: 'missing from the stream' });
    }
    this.position = position;
    this.ops++;
    const expected = this.heads.get(op.workspace) ?? GENESIS_HASH;
    if (op.prevHash !== expected)
      this.findings.push({ position, problem: 'does not follow the op before it in its workspace' });
    if (!isIntact(decodeEnvelope(body, position)))
      this.findings.push({ position, problem: 'its content does not match its hash' });
    this.heads.set(op.workspace, op.hash);
    this.counts.set(op.type, (this.counts.get(op.type) ?? 0) + 1);
  }
}

const archiveDifferences = async (pool: Pool, ops: readonly StoredOp[], upTo: number): Promise<Finding[]> => {
  const covered = ops.filter(({ position }) => position <= upTo);
  if (covered.length === 0) return [];
  const { rows } = await pool.query<{ position: string; body: Buffer }>(
    'select position, body from archive.ops where position = any($1::bigint[])',
    [covered.map(({ position }) => position)],
  );
  const archived = new Map(rows.map(({ position, body }) => [Number(position), body]));
  return covered.flatMap(({ position, body }) => {
    const copy = archived.get(position);
    if (!copy) return [{ position, problem: 'missing from the archive' }];
    return copy.equals(body) ? [] : [{ position, problem: 'differs between stream and archive' }];
  });
};

/** Of one moment; undefined while the library is not at the head, since the two cannot be compared then. */
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

/** Reads the log once, up to the head it had at the start, and hands each batch on. */
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

/** Ops that the archive has and the stream has not, by number: the others are compared one by one. */
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
    findings: surplus > 0 ? [{ position: upTo, problem: `${surplus} ops are in the archive only` }] : [],
  };
};

/** Sequence continuity, hash chain, stream against archive, counts against the library. Reads only. */
export const verifyOpLog = async (
  { log, database }: Engines,
  onProgress: (done: number, head: number) => void,
): Promise<VerifyReport> => {
  const { pool } = database;
  const head = await log.head();
  const archiveEnd = (await readSlot(pool, 'archive'))?.checkpoint.position ?? 0;
  const check = new ChainCheck();
  const archiveFindings: Finding[] = [];
  let archivable = 0;
  const reached = await readAll(log, head, async (ops) => {
    for (const op of ops) check.take(op);
    archivable += ops.filter(({ position }) => position <= archiveEnd).length;
    archiveFindings.push(...(await archiveDifferences(pool, ops, archiveEnd)));
    onProgress(ops.at(-1)!.position, head);
  });
  const { archived, findings: surplus } = await archiveSurplus(pool, archivable, Math.min(archiveEnd, head));
  const inLibrary = await libraryCounts(pool, head);
  const counts = Object.entries(inLibrary ?? {}).map(([what, count]) => ({
    what,
    inLog: check.counts.get(what) ?? 0,
    inLibrary: count,
  }));
  const findings = [
    ...check.findings,
    ...(reached < head
      ? [{ position: reached + 1, problem: `the stream could not be read to its head at ${head}` }]
      : []),
    ...archiveFindings,
    ...surplus,
    ...counts
      .filter((count) => count.inLog !== count.inLibrary)
      .map(({ what, inLog, inLibrary: found }) => ({
        position: head,
        problem: `${what}: ${inLog} in the log, ${found} in the library`,
      })),
  ];
  return { ops: check.ops, workspaces: check.heads.size, head, archived, counts, findings };
};
