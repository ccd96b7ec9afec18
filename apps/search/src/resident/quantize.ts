const STEPS = 127;

export interface Quantized {
  readonly values: Int8Array;
  /** The width of one step, as a part of the vector's length. */
  readonly step: number;
}

/** A vector in one byte per dimension. Each has its own scale, which cosine similarity does not depend on. */
export const quantize = (vector: Float32Array): Quantized => {
  let [largest, squares] = [0, 0];
  for (const value of vector) {
    largest = Math.max(largest, Math.abs(value));
    squares += value * value;
  }
  const values = new Int8Array(vector.length);
  if (largest === 0) return { values, step: 0 };
  const scale = STEPS / largest;
  for (let i = 0; i < vector.length; i++) values[i] = Math.round(vector[i]! * scale);
  return { values, step: largest / STEPS / Math.sqrt(squares) };
};

/** Rounding errors are independent and even within a step; the sum of them passes six standard deviations once in 10⁹. */
const DEVIATIONS = 6;

/** How far the cosine of two quantized vectors may be from the true one. */
export const cosineError = (step: number, otherStep: number): number =>
  (DEVIATIONS / Math.sqrt(12)) * Math.hypot(step, otherStep);
