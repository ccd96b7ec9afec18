/** `archive` read model: a ciphertext copy of every op, byte for byte. Either engine can be repaired from the other. */
export const archiveTables = (schema: string): string => `
create schema ${schema};
create table ${schema}.ops (
  position bigint primary key,
  workspace_id uuid not null,
  subject text not null,
  op_id uuid not null unique,
  type text not null,
  item_id uuid,
  at timestamptz not null,
  body bytea not null
);
create index on ${schema}.ops (workspace_id, position desc);
create index on ${schema}.ops (workspace_id, type, position desc);
create index on ${schema}.ops (item_id, position) where item_id is not null;
`;
