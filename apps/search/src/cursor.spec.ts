import { describe, expect, it } from '@jest/globals';
import { ID_KEY, pageOf, POSITION_KEY, readCursor } from './cursor.js';

describe('cursors', () => {
  const page = (rows: number[], limit: number) => pageOf(rows, limit, String, (row) => row * 10);

  it('lead from page to page and end', () => {
    const first = page([9, 8, 7], 2);
    expect(first.items).toEqual([90, 80]);
    expect(readCursor(first.nextCursor!, POSITION_KEY)).toBe('8');
    expect(page([7], 2)).toEqual({ items: [70], nextCursor: null });
    expect(page([], 2)).toEqual({ items: [], nextCursor: null });
  });

  it.each(['%%%', 'OA--', 'O!A', 'OA==', Buffer.from('8; drop').toString('base64url'), ''])('reject %j', (cursor) => {
    expect(() => readCursor(cursor, POSITION_KEY)).toThrow('cursor');
    expect(() => readCursor(cursor, ID_KEY)).toThrow('cursor');
  });
});
