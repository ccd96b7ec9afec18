import { describe, expect, it } from '@jest/globals';
import { syncAll } from './sync.actions.js';

const failure = (ref: string) => ({ ref, code: 'file.unreadable', message: 'has no text' });

describe('a sync from the command line', () => {
  it('is continued by the cursor of each call, and reports the sum of all', async () => {
    const answers = [
      { found: 9, stored: 3, unchanged: 1, failed: 1, failures: [failure('a')], left: 4, position: 7, nextCursor: 'x' },
      { found: 5, stored: 0, unchanged: 0, failed: 2, failures: [failure('b')], left: 3, position: 7, nextCursor: 'y' },
      { found: 3, stored: 1, unchanged: 2, failed: 0, failures: [], left: 0, position: 8, nextCursor: null },
    ];
    const paths: string[] = [];
    const notes: string[] = [];
    const run = <T>(path: string): Promise<T> => {
      paths.push(path);
      return Promise.resolve(answers[paths.length - 1] as T);
    };
    expect(await syncAll({ err: (line) => void notes.push(line) }, { run }, 'id')).toEqual({
      found: 10,
      stored: 4,
      unchanged: 3,
      failed: 3,
      failures: [failure('a'), failure('b')],
      left: 0,
      position: 8,
    });
    expect(paths).toEqual(['/accounts/id/sync', '/accounts/id/sync?cursor=x', '/accounts/id/sync?cursor=y']);
    expect(notes).toEqual(['3 stored, 4 documents left', '3 stored, 3 documents left']);
  });
});
