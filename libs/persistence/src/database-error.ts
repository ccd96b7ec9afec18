import { asAppError, fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';

/** Data, constraints, SQL that does not parse: a bug in Cairn. Any other code means that Postgres is unavailable. */
const OUR_BUG = /^(22|23|42)/;

/** `query_canceled`: the time limit of the connection was reached. */
const ENDED = '57014';

/** The error that a failed statement becomes for its caller. */
export const databaseError = (thrown: unknown): AppError => {
  if (thrown instanceof AppError) return thrown;
  const { code } = thrown as { code?: unknown };
  if (typeof code === 'string' && OUR_BUG.test(code)) return asAppError(thrown);
  if (code === ENDED)
    return fail(
      'service.timeout',
      'the database ended a statement at its time limit; ask for less, or try again',
      {},
      thrown,
    );
  return fail('projection.unavailable', 'Postgres is unavailable; try again', {}, thrown);
};
