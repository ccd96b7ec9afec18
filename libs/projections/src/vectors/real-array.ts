const REAL_OID = 700;
const HEADER_BYTES = 20;
/** The length of a number, and the number itself. */
const ELEMENT_BYTES = 8;

/**
 * Vectors one after the other in the binary form of `real[]`. As text a vector takes a millisecond to print and parse, in
 * this form a twentieth. The vector type itself cannot be used, because its type id differs between databases.
 */
export const realArray = (vectors: readonly Float32Array[]): Buffer => {
  const length = vectors.reduce((total, vector) => total + vector.length, 0);
  const bytes = Buffer.alloc(HEADER_BYTES + length * ELEMENT_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Dimensions, "has nulls", element type; for the only dimension, its length and its lowest index.
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
