import { asAppError, fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';

/** Data, constraints, SQL that does not parse: our bug. Everything else is Postgres being away. */
const OUR_BUG = /^(22|23|42)/;

/** What a failed statement means to its caller. */
export const databaseError = (thrown: unknown): AppError => {
  if (thrown instanceof AppError) return thrown;
  const { code } = thrown as { code?: unknown };
  if (typeof code === 'string' && OUR_BUG.test(code)) return asAppError(thrown);
  return fail('projection.unavailable', 'Postgres is away; try again', {}, thrown);
};
