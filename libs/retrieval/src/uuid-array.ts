const UUID_OID = 2950;
const HEADER_BYTES = 20;
const UUID_BYTES = 16;
const ELEMENT_BYTES = 4 + UUID_BYTES;

/** Ids of 16 bytes each, one after the other, in the binary form of `uuid[]`. */
export const uuidArray = (ids: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.alloc(HEADER_BYTES + ids.length * ELEMENT_BYTES);
  // Dimensions, "has nulls", element type; for the only dimension, its length and its lowest index.
  [1, 0, UUID_OID, ids.length, 1].forEach((word, i) => bytes.writeInt32BE(word, i * 4));
  for (const [i, id] of ids.entries()) {
    const offset = HEADER_BYTES + i * ELEMENT_BYTES;
    bytes.writeInt32BE(UUID_BYTES, offset);
    bytes.set(id, offset + 4);
  }
  return bytes;
};
