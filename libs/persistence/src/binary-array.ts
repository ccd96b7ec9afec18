/** Dimensions, "has nulls" and element type; for the only dimension, its length and its lowest index. */
const HEADER_BYTES = 20;
/** Stands before each element. */
const LENGTH_BYTES = 4;

const REAL = { oid: 700, bytes: 4 };
const UUID = { oid: 2950, bytes: 16 };

type Element = typeof REAL;

/** An array of one dimension in the binary form of Postgres, with its header. */
const arrayOf = ({ oid, bytes }: Element, length: number): Buffer => {
  const array = Buffer.alloc(HEADER_BYTES + length * (LENGTH_BYTES + bytes));
  [1, 0, oid, length, 1].forEach((word, i) => array.writeInt32BE(word, i * 4));
  return array;
};

/**
 * Vectors one after the other in the binary form of `real[]`. As text a vector takes a millisecond to print and parse, in
 * this form a twentieth. The vector type itself cannot be used, because its type id differs between databases.
 */
export const realArray = (vectors: readonly Float32Array[]): Buffer => {
  const length = vectors.reduce((total, vector) => total + vector.length, 0);
  const array = arrayOf(REAL, length);
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  let offset = HEADER_BYTES;
  for (const vector of vectors) {
    for (const value of vector) {
      view.setInt32(offset, REAL.bytes);
      view.setFloat32(offset + LENGTH_BYTES, value);
      offset += LENGTH_BYTES + REAL.bytes;
    }
  }
  return array;
};

/** Ids of 16 bytes each, one after the other, in the binary form of `uuid[]`. */
export const uuidArray = (ids: readonly Uint8Array[]): Buffer => {
  const array = arrayOf(UUID, ids.length);
  for (const [i, id] of ids.entries()) {
    const offset = HEADER_BYTES + i * (LENGTH_BYTES + UUID.bytes);
    array.writeInt32BE(UUID.bytes, offset);
    array.set(id, offset + LENGTH_BYTES);
  }
  return array;
};
