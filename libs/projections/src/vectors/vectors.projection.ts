import { fail, VECTORS_STREAM } from '@cairn/contracts';
import type { StoredVector } from '@cairn/op-log';
import { realArray } from '@cairn/persistence';
import { openVector, type Vault } from '@cairn/vault';
import { FORGOTTEN } from '../erasure/erasure.js';
import { defineProjection, type Handler, type HandlerStores, type StatementSink, type Write } from '../projection.js';
import { rewriteVectors } from './rewrite-vectors.js';
import { vectorsIndexes, vectorsTables } from './vectors.schema.js';

interface VectorRow {
  readonly chunk: string;
  readonly model: string;
  readonly hash: Buffer;
  readonly workspace: string;
  readonly embedding: Float32Array;
  readonly position: number;
  /** The position of the message itself. */
  readonly seq: number;
}

/** A text that was given up. */
type FailureRow = Omit<VectorRow, 'embedding'>;

/** The rows of each chunk's last text, regardless of the order in which they arrive. */
const newestOf = <R extends FailureRow>(rows: readonly R[]): R[] => {
  const newest = new Map<string, R>();
  for (const row of rows) {
    const key = `${row.chunk}|${row.model}`;
    // Of two messages for one op the first counts, as it does where they arrive in two batches.
    if (row.position > (newest.get(key)?.position ?? -1)) newest.set(key, row);
  }
  return [...newest.values()];
};

const dropOlder = (db: StatementSink, schema: string, rows: readonly VectorRow[]): void => {
  void db.query(
    `delete from ${schema}.embeddings e
     using unnest($1::uuid[], $2::text[], $3::bytea[], $4::bigint[]) as x(chunk, model, hash, position)
     where e.chunk_id = x.chunk and e.model = x.model and e.text_hash <> x.hash and e.position < x.position`,
    [
      rows.map(({ chunk }) => chunk),
      rows.map(({ model }) => model),
      rows.map(({ hash }) => hash),
      rows.map(({ position }) => position),
    ],
  );
};

/** For each vector, the index of its last number among the numbers of all of them. */
const ends = (rows: readonly VectorRow[]): number[] => {
  let end = 0;
  return rows.map(({ embedding }) => (end += embedding.length));
};

/**
 * All numbers are one parameter, and each row takes its slice. The vector of a text can change although the text does
 * not: its title is embedded with it.
 */
const insert = (db: StatementSink, schema: string, rows: readonly VectorRow[]): void => {
  void db.query(
    `insert into ${schema}.embeddings as kept (chunk_id, model, text_hash, workspace_id, position, seq, embedding)
     select chunk, model, hash, workspace, position, seq, ($5::real[])[last - dims + 1 : last]::vector
     from unnest($1::uuid[], $2::text[], $3::bytea[], $4::uuid[], $6::bigint[], $7::bigint[], $8::int[], $9::int[])
       as x(chunk, model, hash, workspace, position, seq, last, dims)
     where not exists (
       select from ${schema}.embeddings e
       where e.chunk_id = x.chunk and e.model = x.model and e.position > x.position
     )
     on conflict (chunk_id, model, text_hash) do update
       set position = excluded.position, seq = excluded.seq, embedding = excluded.embedding
       where kept.position < excluded.position`,
    [
      rows.map(({ chunk }) => chunk),
      rows.map(({ model }) => model),
      rows.map(({ hash }) => hash),
      rows.map(({ workspace }) => workspace),
      realArray(rows.map(({ embedding }) => embedding)),
      rows.map(({ position }) => position),
      rows.map(({ seq }) => seq),
      ends(rows),
      rows.map(({ embedding }) => embedding.length),
    ],
  );
};

const insertFailures = (db: StatementSink, schema: string, rows: readonly FailureRow[]): void => {
  void db.query(
    `insert into ${schema}.failures as kept (chunk_id, model, text_hash, workspace_id, position)
     select * from unnest($1::uuid[], $2::text[], $3::bytea[], $4::uuid[], $5::bigint[])
     on conflict (chunk_id, model) do update
       set text_hash = excluded.text_hash, position = excluded.position where kept.position < excluded.position`,
    [
      rows.map(({ chunk }) => chunk),
      rows.map(({ model }) => model),
      rows.map(({ hash }) => hash),
      rows.map(({ workspace }) => workspace),
      rows.map(({ position }) => position),
    ],
  );
};

/** Undefined if the chunk was forgotten while its vector was in transit. */
const rowOf = async (
  vault: Vault,
  { message, position: seq }: StoredVector,
): Promise<VectorRow | FailureRow | undefined> => {
  const { workspace, itemId, chunkId, model, dims, textHash, position } = message;
  const key = (await vault.livingKeys(workspace, itemId))?.chunks.get(chunkId);
  if (!key) return undefined;
  const row = { chunk: chunkId, model, hash: Buffer.from(textHash, 'hex'), workspace, position, seq };
  if (message.vector === null) return row;
  const embedding = openVector(key, workspace, chunkId, Buffer.from(message.vector, 'base64'));
  // Vectors of one model must be comparable; the sealed one may differ from its metadata.
  if (embedding.length !== dims) {
    throw fail('internal.defect', `a vector of ${model} has ${embedding.length} dimensions instead of ${dims}`);
  }
  return { ...row, embedding };
};

/** One message per chunk, op and model; outside the broker's duplicate window a second one changes nothing. */
const handler = ({ vault, vectors: log }: HandlerStores): Handler<StoredVector> => ({
  prepare: async (entries): Promise<Write> => {
    const rows = await Promise.all(entries.map((entry) => rowOf(vault, entry)));
    const late = entries.filter((_, i) => !rows[i]);
    // The erasure worker erases them too, but this happens sooner.
    if (late.length > 0) void log.erase(late.map(({ position }) => position)).catch(() => undefined);
    const living = rows.filter((row) => row !== undefined);
    const newest = newestOf(living.filter((row) => 'embedding' in row));
    const failures = newestOf(living.filter((row) => !('embedding' in row)));
    return (db, schema) => {
      if (failures.length > 0) insertFailures(db, schema, failures);
      if (newest.length === 0) return;
      insert(db, schema, newest);
      dropOlder(db, schema, newest);
    };
  },
});

const ofChunks = `chunk_id = any (${FORGOTTEN.chunkIds})`;

export const vectors = defineProjection({
  name: 'vectors',
  version: 1,
  stream: VECTORS_STREAM,
  isAwaited: false,
  // Some milliseconds of the embedded database, during which it serves no other client.
  liveBatchMax: 64,
  tables: vectorsTables,
  indexes: vectorsIndexes,
  handler,
  erases: { method: 'rows deleted, tables rewritten', rows: { embeddings: ofChunks, failures: ofChunks } },
  purges: { embeddings: 'rewritten', failures: 'ids' },
  // The index takes longest to rebuild, so the table is rewritten next to the live one.
  rewriteLive: rewriteVectors,
  wrappedKeys: 'nothing',
});
