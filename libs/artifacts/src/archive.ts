import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { filesInTar } from './tar-archive.js';
import { filesInZip } from './zip-archive.js';

/** A regular file inside an archive or a directory; its content is produced on demand. */
export interface SourceFile {
  readonly path: string;
  readonly executable: boolean;
  read(): Buffer;
}

const ZIP_MAGIC = 0x04034b50;
const GZIP_MAGIC = 0x8b1f;

/** The files that a mirror delivered. The content, not the name, decides the format: a directory, zip/jar/wheel, tgz, or one plain file. */
export const filesIn = (path: string): readonly SourceFile[] => {
  if (statSync(path).isDirectory()) return filesInDirectory(path);
  const bytes = readFileSync(path);
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === ZIP_MAGIC) return filesInZip(bytes);
  if (bytes.length >= 2 && bytes.readUInt16LE(0) === GZIP_MAGIC) return filesInTar(gunzipSync(bytes));
  return [{ path: basename(path), executable: false, read: () => bytes }];
};

const filesInDirectory = (root: string): SourceFile[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(root, file),
      executable: (statSync(file).mode & 0o100) !== 0,
      read: () => readFileSync(file),
    }));
