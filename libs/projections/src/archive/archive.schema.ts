import { table } from '@cairn/persistence';

/** `archive` read model: a ciphertext copy of every op, byte for byte. Either engine can be repaired from the other. */
export const archiveTables = {
  ops: table({
    columns: {
      position: 'bigint primary key',
      workspace_id: 'uuid not null',
      subject: 'text not null',
      op_id: 'uuid not null unique',
      type: 'text not null',
      item_id: 'uuid',
      at: 'timestamptz not null',
      body: 'bytea not null',
    },
    indexes: [
      '(workspace_id, position desc)',
      '(workspace_id, type, position desc)',
      '(item_id, position) where item_id is not null',
    ],
  }),
};
