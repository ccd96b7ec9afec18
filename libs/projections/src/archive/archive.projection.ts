import type { Op } from '@cairn/contracts';
import type { StoredOp } from '@cairn/op-log';
import type { PostgresProjection, Write } from '../projection.js';
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

export const archiveProjection: PostgresProjection<StoredOp> = {
  name: 'archive',
  version: 1,
  tableNames: ['ops'],
  tables: archiveTables,
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
    }),
};
