const REAL_OID = 700;
const HEADER_BYTES = 20;
/** Its length, and the number itself. */
const ELEMENT_BYTES = 8;

/**
 * Vectors one behind the other as the binary form of `real[]`. As text a vector costs a millisecond to print and to
 * parse, like this a twentieth. The vector type itself has no number that is the same in every database.
 */
export const realArray = (vectors: readonly Float32Array[]): Buffer => {
  const length = vectors.reduce((total, vector) => total + vector.length, 0);
  const bytes = Buffer.alloc(HEADER_BYTES + length * ELEMENT_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Dimensions, "has nulls", type of the elements; of the one dimension its length and its lowest index.
  [1, 0, REAL_OID, length, 1].forEach((word, i) => view.setInt32(i * 4, word));
  let offset = HEADER_BYTES;
  for (const vector of vectors) {
    for (const value of vector) {
      view.setInt32(offset, 4);
      view.setFloat32(offset + 4, value);
      offset += ELEMENT_BYTES;
    }
  }
  return bytes;
};
