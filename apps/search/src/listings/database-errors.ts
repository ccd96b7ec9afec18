import { fail } from '@cairn/contracts';

/** Wraps TypeORM where it enters: to the caller a list that cannot be read is Postgres being away. */
export const databaseErrors = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (thrown) {
    throw fail('projection.unavailable', 'Postgres is away; try again', {}, thrown);
  }
};
