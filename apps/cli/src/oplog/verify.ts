import { GENESIS_HASH, OPLOG_STREAM } from '@cairn/contracts';
import { decodeEnvelope, isIntact, type StoredOp } from '@cairn/op-log';
import { readSlot } from '@cairn/projections';
import { jetstreamManager } from '@nats-io/jetstream';
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
  /** Positions that were erased on purpose; the broker lists them. */
  readonly erased: number;
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

  constructor(private readonly erased: ReadonlySet<number>) {}

  take({ position, body, op }: StoredOp): void {
    for (let missing = this.position + 1; missing < position; missing++) {
      if (!this.erased.has(missing)) this.findings.push({ position: missing, problem: 'missing from the stream' });
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

const libraryCounts = async (pool: Pool): Promise<Record<string, number>> => {
  const { rows } = await pool.query<Record<string, string>>(`
    select (select count(*) from library.workspaces) as "workspace.created", (select count(*) from library.folders) as "folder.created",
      (select count(*) from library.tokens) as "token.issued", (select count(*) from library.items) as "item.stored"`);
  return Object.fromEntries(Object.entries(rows[0]!).map(([what, count]) => [what, Number(count)]));
};

/** Sequence continuity, hash chain, stream against archive, counts against the library. Reads only. */
export const verifyOpLog = async (
  { nats, log, database }: Engines,
  onProgress: (done: number, head: number) => void,
): Promise<VerifyReport> => {
  const { pool } = database;
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const { state } = await manager.streams.info(OPLOG_STREAM, { deleted_details: true });
  const head = state.last_seq;
  const archive = await readSlot(pool, 'archive');
  const check = new ChainCheck(new Set(state.deleted ?? []));
  const archiveFindings: Finding[] = [];
  const reader = log.read(1);
  try {
    for (let position = 0; position < head;) {
      const ops = (await reader.next(BATCH, READ_WAIT_MS)).filter((entry) => entry.position <= head);
      if (ops.length === 0) break;
      for (const op of ops) check.take(op);
      archiveFindings.push(...(await archiveDifferences(pool, ops, archive?.checkpoint.position ?? 0)));
      position = ops.at(-1)!.position;
      onProgress(position, head);
    }
  } finally {
    await reader.close();
  }
  const inLibrary = await libraryCounts(pool);
  const counts = Object.entries(inLibrary).map(([what, count]) => ({
    what,
    inLog: check.counts.get(what) ?? 0,
    inLibrary: count,
  }));
  const { rows } = await pool.query<{ n: string }>('select count(*) as n from archive.ops where position <= $1', [
    head,
  ]);
  const findings = [
    ...check.findings,
    ...archiveFindings,
    ...counts
      .filter(({ inLog, inLibrary: found }) => inLog !== found)
      .map(({ what, inLog, inLibrary: found }) => ({
        position: head,
        problem: `${what}: ${inLog} in the log, ${found} in the library`,
      })),
  ];
  return {
    ops: check.ops,
    workspaces: check.heads.size,
    head,
    erased: state.num_deleted ?? 0,
    archived: Number(rows[0]!.n),
    counts,
    findings,
  };
};
