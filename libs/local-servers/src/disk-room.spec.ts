import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { hasRoom, saysNoRoom } from './disk-room.js';

describe('the disk space check', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-room-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('succeeds where a file can be written, and leaves no probe file behind', () => {
    expect(hasRoom(dir)).toBe(true);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('fails where no file can be written', () => {
    expect(hasRoom(join(dir, 'missing'))).toBe(false);
  });

  it.each([
    ['[ERR] Filestore [KV_KEYS] Critical write error: write 1.blk: no space left on device', true],
    ['[ERR] JetStream failed to store a msg on stream: write 1.blk: file too large', true],
    ['PANIC:  could not write to file "pg_wal/xlogtemp.42": No space left on device', true],
    ['[INF] Server is ready', false],
  ])('recognises "%s" as a full disk: %s', (line, expected) => {
    expect(saysNoRoom(line)).toBe(expected);
  });
});
