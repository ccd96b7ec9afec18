import { SUBSTRATES, type SubstrateTable } from '@cairn/graph';
import { table } from '@cairn/persistence';

/** The origin of a row. */
const origin = {
  chunk_id: 'uuid not null',
  // The number of the line in the chunk.
  ordinal: 'int not null',
  item_id: 'uuid not null',
  workspace_id: 'uuid not null',
  account_id: 'uuid not null',
  source: 'text not null',
} as const;

/** Tables of the `substrate` read model: the rows of time series, derived from the plaintext of their batches. */
export const substrateTables = {
  batches: table({
    columns: {
      item_id: 'uuid primary key',
      workspace_id: 'uuid not null',
      account_id: 'uuid not null',
      source: 'text not null',
      kind: 'text not null',
      position: 'bigint not null',
    },
    indexes: ['(account_id)'],
  }),
  observations: table({
    columns: {
      ...origin,
      external_id: 'text not null',
      at: 'timestamptz not null',
      category: 'text',
      metrics: 'jsonb not null',
      // The position of the op that stored the batch: of two rows with the same id, the later one counts.
      position: 'bigint not null',
    },
    constraints: ['primary key (chunk_id, ordinal)'],
    indexes: ['(workspace_id, source, at)', '(account_id, external_id, position)', '(item_id)'],
  }),
  rollups: table({
    columns: {
      ...origin,
      day: 'date not null',
      category: 'text',
      metric: 'text not null',
      sum: 'numeric not null',
      count: 'int not null',
      min: 'numeric not null',
      max: 'numeric not null',
    },
    constraints: ['primary key (chunk_id, ordinal, metric)'],
    indexes: ['(workspace_id, source, metric, day)', '(item_id)'],
  }),
  // Keyed hashes of the ids of purged rows: importing their file again adds nothing.
  purged_ids: table({
    columns: { ...origin, id_hash: 'bytea not null' },
    constraints: ['primary key (chunk_id, ordinal, id_hash)'],
    indexes: ['(account_id, id_hash)', '(item_id)'],
  }),
};

const viewOf = (schema: string, source: string, { name, key, at, category, metrics }: SubstrateTable): string => {
  const columns = Object.keys(metrics).map((metric) => `(metrics ->> '${metric}')::numeric as ${metric}`);
  return `create or replace view ${schema}.${name} as
    select workspace_id, account_id, item_id, chunk_id, external_id as ${key.name}, at as ${at.name},
      category as ${category.name}, ${columns.join(', ')}, position
    from ${schema}.observations where source = '${source}'`;
};

/** The table of each source, as declared in its manifest, with its own columns. */
export const substrateViews = (schema: string): string[] =>
  Object.entries(SUBSTRATES).map(([source, substrate]) => viewOf(schema, source, substrate));
