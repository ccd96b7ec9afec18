import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const SECRET_MODE = 0o600;

const syncDir = (dir: string): void => {
  const opened = openSync(dir, 'r');
  fsyncSync(opened);
  closeSync(opened);
};

/** Readable by its owner only, and on disk with its name before anything depends on it. No reader sees half of it. */
export const writeSecretFile = (file: string, content: string): void => {
  const part = openSync(`${file}.part`, 'w', SECRET_MODE);
  writeFileSync(part, content);
  fsyncSync(part);
  closeSync(part);
  moveSecretFile(`${file}.part`, file);
};

export const moveSecretFile = (from: string, to: string): void => {
  renameSync(from, to);
  syncDir(dirname(to));
};

/** Overwrites the bytes, then removes the file: the blocks of a file that is only removed stay readable until reused. */
export const shredSecretFile = (file: string, over: string): void => {
  const opened = openSync(file, 'r+');
  writeSync(opened, over, 0);
  fsyncSync(opened);
  closeSync(opened);
  rmSync(file);
  syncDir(dirname(file));
};
