/** The exact nearest neighbours among these vectors, all of length 1, best first. */
export const exactNeighbours = (
  query: Float32Array,
  vectors: readonly { readonly id: string; readonly vector: Float32Array }[],
  limit: number,
): string[] => {
  const best: { id: string; score: number }[] = [];
  for (const { id, vector } of vectors) {
    const score = dot(query, vector);
    if (best.length === limit && score <= best[limit - 1]!.score) continue;
    const at = best.findIndex((other) => other.score < score);
    best.splice(at === -1 ? best.length : at, 0, { id, score });
    best.length = Math.min(best.length, limit);
  }
  return best.map(({ id }) => id);
};

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};
