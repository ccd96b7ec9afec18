import { EF_SEARCH_MAX } from '@cairn/contracts';
import { assert } from '@cairn/kernel';

/** An embedded query. Vectors of different models cannot be compared, so it includes the model. */
export interface EmbeddedQuery {
  readonly model: string;
  readonly vector: Float32Array;
}

/** The width of the HNSW search. Below 100, recall drops in PGlite. */
export const CHUNK_EF_SEARCH = 100;

/** pgvector's binary form: exact, and half the size of the text. Dimensions, a reserved word, big-endian float32. */
export const vectorParameter = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(4 + vector.length * 4);
  bytes.writeInt16BE(vector.length, 0);
  vector.forEach((value, i) => bytes.writeFloatBE(value, 4 + i * 4));
  return bytes;
};

export const assertEfSearch = (efSearch: number): void =>
  assert(Number.isInteger(efSearch) && efSearch >= 1 && efSearch <= EF_SEARCH_MAX, 'efSearch is an integer of 1..200');
