import { VECTOR_DIMENSIONS, type VectorMessage } from '@cairn/contracts';
import { sealVector, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';

/** A vector of the table as the message that it came from. */
export interface LostVector {
  /** The position of the message in VECTORS. */
  readonly position: number;
  readonly message: VectorMessage;
}

interface VectorRow {
  readonly seq: string;
  readonly chunk_id: string;
  readonly item_id: string;
  readonly workspace_id: string;
  readonly model: string;
  readonly text_hash: string;
  readonly position: string;
  readonly embedding: number[];
  readonly wrapped_key: Buffer;
}

interface FailureRow extends Omit<VectorRow, 'seq' | 'embedding' | 'wrapped_key'> {
  readonly dims: number | null;
}

const PAGE = 200;

const OF_CHUNK = `v.chunk_id, b.item_id, v.workspace_id, v.model, encode(v.text_hash, 'hex') as text_hash, v.position`;

const VECTORS = `select v.seq, ${OF_CHUNK}, v.embedding::real[] as embedding, b.wrapped_key
  from vectors.embeddings v join library.bodies b using (chunk_id) where v.seq > 0 order by v.seq`;

const FAILURES = `select ${OF_CHUNK},
    (select vector_dims(e.embedding) from vectors.embeddings e where e.model = v.model limit 1) as dims
  from vectors.failures v join library.bodies b using (chunk_id)`;

const messageOf = (row: Omit<FailureRow, 'dims'>, dims: number, vector: string | null): VectorMessage => ({
  workspace: row.workspace_id,
  itemId: row.item_id,
  chunkId: row.chunk_id,
  textHash: row.text_hash,
  model: row.model,
  dims,
  position: Number(row.position),
  vector,
});

const lostVector = (row: VectorRow, vault: Pick<Vault, 'unwrap'>): LostVector => {
  const { workspace_id: workspaceId, chunk_id: chunkId, embedding } = row;
  const key = vault.unwrap(workspaceId, chunkId, row.wrapped_key);
  const sealed = sealVector(key, workspaceId, chunkId, Float32Array.from(embedding));
  return { position: Number(row.seq), message: messageOf(row, embedding.length, sealed.toString('base64')) };
};

/**
 * The vectors of living chunks in the order of their messages, page by page. Through a cursor, because no index has this
 * order and sorting them for each page would take too long.
 */
export async function* lostVectors(
  pool: Pool,
  vault: Pick<Vault, 'unwrap'>,
): AsyncGenerator<readonly LostVector[], void, void> {
  const client = await pool.connect();
  try {
    await client.query('begin read only');
    await client.query(`declare lost_vectors no scroll cursor for ${VECTORS}`);
    for (;;) {
      const { rows } = await client.query<VectorRow>(`fetch ${PAGE} from lost_vectors`);
      if (rows.length === 0) return;
      yield rows.map((row) => lostVector(row, vault));
    }
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** The texts that were given up, as messages. The table does not have their positions in VECTORS. */
export const lostFailures = async (pool: Pool): Promise<VectorMessage[]> => {
  const { rows } = await pool.query<FailureRow>(FAILURES);
  return rows.map(({ dims, ...row }) => messageOf(row, dims ?? VECTOR_DIMENSIONS, null));
};

export const countLostVectors = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from vectors.embeddings join library.bodies using (chunk_id)',
  );
  return rows[0]!.n;
};
