import type { Pool } from 'pg';

/** A row of the archive: the bytes of an op, or the rest of a forgotten one. */
export interface ArchivedOp {
  readonly position: number;
  readonly subject: string;
  readonly opId: string;
  readonly body: Buffer;
}

/** An op may have 400 KiB. */
const PAGE = 200;

/** The archive in the order of the log, page by page, behind a position. */
export async function* archivedOps(pool: Pool, after: number): AsyncGenerator<readonly ArchivedOp[], void, void> {
  for (let reached = after; ;) {
    const { rows } = await pool.query<Omit<ArchivedOp, 'position'> & { position: string }>(
      `select position, subject, op_id as "opId", body from archive.ops where position > $1 order by position limit $2`,
      [reached, PAGE],
    );
    if (rows.length === 0) return;
    const page = rows.map((row) => ({ ...row, position: Number(row.position) }));
    yield page;
    reached = page.at(-1)!.position;
  }
}
