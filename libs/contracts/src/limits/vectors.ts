// Vectors of chunks, in the database and in the memory of search.

/** Of the default model, and of the vectors in tests. Another model may have another number, up to the maximum. */
export const VECTOR_DIMENSIONS = 384;
export const VECTOR_DIMENSIONS_MAX = 4_096;

/** How much larger a list of vectors in memory is made when it is full. */
export const RESIDENT_GROWTH = 1.125;
const UUID_BYTES = 16;

/** The memory that search needs for vectors: a byte per dimension and the chunk's id, with room to grow. */
export const residentBytes = (count: number, dimensions: number): number =>
  Math.ceil(count * (dimensions + UUID_BYTES) * RESIDENT_GROWTH);
