import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** With less free space a restarted server would fail again at once: Postgres alone opens segments of 16 MiB. */
const FREE_BYTES_MIN = 32 * 1_048_576;
const PROBE = Buffer.alloc(65_536);

/** Messages that programs print when a file could not grow: the disk is full, or a quota or a size limit is reached. */
const NO_ROOM = /no space left on device|ENOSPC|disk quota exceeded|EDQUOT|file too large|EFBIG/i;

export const saysNoRoom = (text: string): boolean => NO_ROOM.test(text);

/**
 * Whether the file system of a directory can be written to again. The free space alone does not show that, because of
 * quotas and reserved blocks, so a small file is written as well.
 */
export const hasRoom = (dir: string): boolean => {
  const file = join(dir, 'room-probe');
  try {
    const { bavail, bsize } = statfsSync(dir);
    if (bavail * bsize < FREE_BYTES_MIN) return false;
    const probe = openSync(file, 'w');
    try {
      writeSync(probe, PROBE);
      fsyncSync(probe);
    } finally {
      closeSync(probe);
    }
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
};
