import { nounOf, OPLOG_STREAM, oplogSubject, type ErasedOp, type Op } from '@cairn/contracts';
import type { StoredOp } from '@cairn/op-log';
import { FORGOTTEN as GIVEN } from '../erasure/erasure.js';
import { defineProjection, type Handler, type StatementSink, type Write } from '../projection.js';
import { RowBuffer } from '../row-buffer.js';
import { archiveTables } from './archive.schema.js';

const itemOf = (op: Op): string | null => ('itemId' in op.data ? op.data.itemId : null);

interface ArchiveRow {
  readonly position: number;
  readonly workspace: string;
  readonly subject: string;
  readonly id: string;
  readonly type: string;
  readonly item: string | null;
  readonly at: string;
  readonly body: Buffer;
}

/** Shown in place of the content of an op. */
const FORGOTTEN = '<forgotten>';

/**
 * The part of an op that the archive keeps after its content is forgotten: who did what and when, and its place in the
 * chain.
 */
export const erasedBody = ({ position: _, ...envelope }: ErasedOp, itemId: string): Buffer =>
  Buffer.from(JSON.stringify({ ...envelope, data: { itemId, content: FORGOTTEN } }));

/** Whether an archived body is the rest of a forgotten op. */
export const isErasedBody = (body: Buffer): boolean => {
  // Inside a string of another op, the quotes would be escaped.
  if (!body.includes(`"content":"${FORGOTTEN}"`)) return false;
  const { data } = JSON.parse(body.toString()) as { readonly data?: { readonly content?: unknown } };
  return data?.content === FORGOTTEN;
};

/** Whole rows: in a rebuild the ops are no longer in the log, and their rows are created from here. */
const blank = (db: StatementSink, schema: string, ops: readonly Op[]): void => {
  const erased = ops.flatMap((op) =>
    op.type === 'item.forgotten' ? op.data.erased.map((one) => ({ ...one, itemId: op.data.itemId })) : [],
  );
  if (erased.length === 0) return;
  void db.query(
    `insert into ${schema}.ops (position, workspace_id, subject, op_id, type, item_id, at, body)
     select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::timestamptz[],
       $8::bytea[])
     on conflict (position) do update set body = excluded.body`,
    [
      erased.map(({ position }) => position),
      erased.map(({ workspace }) => workspace),
      erased.map(({ workspace, type }) => oplogSubject(workspace, nounOf(type))),
      erased.map(({ id }) => id),
      erased.map(({ type }) => type),
      erased.map(({ itemId }) => itemId),
      erased.map(({ at }) => at),
      erased.map(({ itemId, ...op }) => erasedBody(op, itemId)),
    ],
  );
};

const rows = () =>
  new RowBuffer<ArchiveRow>(
    {
      position: 'bigint',
      workspace: 'uuid',
      subject: 'text',
      id: 'uuid',
      type: 'text',
      item: 'uuid',
      at: 'timestamptz',
      body: 'bytea',
    },
    (schema, x) =>
      `insert into ${schema}.ops (position, workspace_id, subject, op_id, type, item_id, at, body) select * from ${x}
      on conflict do nothing`,
  );

const handler: Handler<StoredOp> = {
  prepare: (entries): Promise<Write> =>
    Promise.resolve((db, schema) => {
      const buffer = rows();
      for (const { position, subject, body, op } of entries) {
        buffer.add({
          position,
          workspace: op.workspace,
          subject,
          id: op.id,
          type: op.type,
          item: itemOf(op),
          at: op.at,
          body: Buffer.from(body),
        });
      }
      buffer.flush(db, schema);
      // After the rows of the batch, because the rows to blank may be among them.
      blank(
        db,
        schema,
        entries.map(({ op }) => op),
      );
    }),
};

export const archive = defineProjection({
  name: 'archive',
  version: 1,
  stream: OPLOG_STREAM,
  isAwaited: true,
  tables: archiveTables,
  indexes: () => [],
  handler: () => handler,
  erases: {
    method: 'payloads blanked',
    // In a version next to the live one, the rows are deleted; the op of the forgetting adds the blanked rows.
    rows: {
      ops: `position = any (${GIVEN.positions})
        and convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'content' is distinct from '${FORGOTTEN}'`,
    },
  },
  purges: { ops: 'ciphertext' },
  wrappedKeys: 'nothing',
});
