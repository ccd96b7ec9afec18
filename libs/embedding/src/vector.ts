import { fail } from '@cairn/contracts';

/** Scales to length 1, so that a dot product is a cosine. A zero vector is unchanged, for the check to refuse. */
export const unitVector = (values: ArrayLike<number>): Float32Array => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  const length = Math.sqrt(sum) || 1;
  return Float32Array.from(values, (value) => value / length);
};

/**
 * Refuses vectors that would poison an index: the wrong length, a value that is not a number, or no direction at all.
 */
export const assertUsableVector = (vector: ArrayLike<number>, dimensions: number): void => {
  if (vector.length !== dimensions) throw unusable(`it has ${vector.length} dimensions, expected ${dimensions}`);
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  if (!Number.isFinite(sum)) throw unusable('it holds a value that is not a finite number');
  if (sum === 0) throw unusable('all its values are zero');
};

const unusable = (reason: string) =>
  fail('embedder.unavailable', `The embedding model gave an unusable vector: ${reason}.`);
