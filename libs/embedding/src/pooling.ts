/** Cuts from the end but keeps the closing token, which the model was trained to see. */
export const truncate = (ids: readonly number[], max: number): readonly number[] =>
  ids.length <= max ? ids : [...ids.slice(0, max - 1), ids.at(-1)!];

/**
 * Reduces [1, tokens, dimensions] to [dimensions]; the output [1, dimensions] of a model that pools itself is
 * unchanged.
 */
export const pool = (data: Float32Array, dims: readonly number[], pooling: 'cls' | 'mean'): Float32Array => {
  const dimensions = dims.at(-1)!;
  if (dims.length === 2 || pooling === 'cls') return data.subarray(0, dimensions);
  const sum = new Float32Array(dimensions);
  for (let i = 0; i < data.length; i++) sum[i % dimensions] = sum[i % dimensions]! + data[i]!;
  return sum;
};
