import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

/** Symbolic links are resolved before a path is compared, so none leads out of the allowed directories. */
const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}${sep}`);

const realOf = (path: string): Promise<string | undefined> =>
  realpath(path).then(
    (real) => real,
    () => undefined,
  );

const outside = (): AppError =>
  fail('input.invalid', 'settings.path must be a directory below one of CAIRN_CONNECTOR_ROOTS', {
    field: 'settings.path',
  });

const isOff = (): AppError =>
  fail('connector.off', 'the folder connector is off: the operator sets CAIRN_CONNECTOR_ROOTS to allow directories', {
    field: 'connectorId',
  });

/** The real path of an account's directory, below one of the roots. A relative path starts at a root. */
export const directoryOf = async (path: string, roots: readonly string[]): Promise<string> => {
  if (roots.length === 0) throw isOff();
  const candidates = isAbsolute(path) ? [path] : roots.map((root) => join(root, path));
  const realRoots = (await Promise.all(roots.map(realOf))).filter((root) => root !== undefined);
  for (const candidate of candidates) {
    const real = await realOf(candidate);
    if (real === undefined || !realRoots.some((root) => isBelow(real, root))) continue;
    if ((await stat(real)).isDirectory()) return real;
  }
  throw outside();
};

const missing = (): AppError => fail('mesh.source_missing', 'the source does not have this document any more');

/** Does not follow a link, and does not wait for the other end of a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NO_SUCH_FILE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG']);

const opened = (path: string): Promise<FileHandle> =>
  open(path, OPEN_FLAGS).catch((thrown: NodeJS.ErrnoException) => {
    throw NO_SUCH_FILE.has(thrown.code) ? missing() : thrown;
  });

/** Where an open file is. Linux knows it of the file itself; elsewhere its path must still lead to the same file. */
const placeOf = async (file: FileHandle, path: string): Promise<string | undefined> => {
  const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (place !== undefined) return place;
  const real = await realOf(path);
  if (real === undefined) return undefined;
  const [own, named] = [await file.stat(), await stat(real)];
  return own.dev === named.dev && own.ino === named.ino ? real : undefined;
};

/**
 * Opens a file below the directory. A path that leads out of it looks like a missing file. The open file is checked, not
 * its path: any process that may write to the directory can make a path lead elsewhere at any moment.
 */
const withFileBelow = async <T>(
  directory: string,
  ref: string,
  use: (file: FileHandle, size: number) => Promise<T>,
): Promise<T> => {
  const path = join(directory, ref);
  const file = await opened(path);
  try {
    const place = await placeOf(file, path);
    const found = await file.stat();
    if (place === undefined || !isBelow(place, directory) || !found.isFile()) throw missing();
    return await use(file, found.size);
  } finally {
    await file.close();
  }
};

const readStart = async (file: FileHandle, bytes: number): Promise<Uint8Array> => {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
};

/** Reads at most `bytesMax` bytes. A file that grows while it is read is cut at its initial size. */
export const readFileBelow = (directory: string, ref: string, bytesMax: number): Promise<Uint8Array> =>
  withFileBelow(directory, ref, (file, size) => {
    if (size <= bytesMax) return readStart(file, size);
    throw fail('input.too_large', `a document must have at most ${bytesMax} bytes`, { field: 'file', limit: bytesMax });
  });

/** The size of a file and its first bytes, at most `bytesMax`. */
export const readStartBelow = (
  directory: string,
  ref: string,
  bytesMax: number,
): Promise<{ readonly size: number; readonly bytes: Uint8Array }> =>
  withFileBelow(directory, ref, async (file, size) => ({
    size,
    bytes: await readStart(file, Math.min(size, bytesMax)),
  }));
