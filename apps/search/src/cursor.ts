import { fail, type Page } from '@cairn/contracts';

export const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url');

/** The key of the last entry on the previous page; anything else is rejected. */
export const readCursor = (cursor: string | undefined, form: RegExp): string | null => {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64url').toString();
  // Decoding skips characters that are not base64, so many texts would pass for the same cursor.
  if (!form.test(key) || encodeCursor(key) !== cursor)
    throw fail('input.invalid', 'cursor is not one that a list answered', { field: 'cursor' });
  return key;
};

export const POSITION_KEY = /^\d{1,15}$/;
export const ID_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lists read one entry more than requested: if it exists, there is a next page. */
export const pageOf = <R, T>(
  rows: readonly R[],
  limit: number,
  keyOf: (row: R) => string,
  view: (row: R) => T,
): Page<T> => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null;
  return { items: shown.map(view), nextCursor };
};
