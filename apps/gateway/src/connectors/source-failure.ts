import { fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';

/** Reports only that the source failed: its own message may contain anything. */
export const sourceFailure = (thrown: unknown): AppError =>
  thrown instanceof AppError
    ? thrown
    : fail('mesh.unavailable', 'the source did not give the text; try again', {}, thrown);

export const ofSource = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (thrown) {
    throw sourceFailure(thrown);
  }
};
