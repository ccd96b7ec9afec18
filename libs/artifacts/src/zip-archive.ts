import { inflateRawSync } from 'node:zlib';
import type { SourceFile } from './archive.js';

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const ZIP64_MARK = 0xffffffff;
const UNIX_TYPE_MASK = 0o170000;
const UNIX_SYMLINK = 0o120000;

/**
 * Reads a zip by its central directory, the only place that holds the unix modes (wheels keep executable bits there).
 */
export const filesInZip = (zip: Buffer): SourceFile[] => {
  const end = endRecordOffset(zip);
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (at === ZIP64_MARK) throw new Error('zip64 archives are not supported');
  const files: SourceFile[] = [];
  for (let index = 0; index < count; index++) {
    const nameLength = zip.readUInt16LE(at + 28);
    const path = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (!path.endsWith('/')) files.push(fileAt(zip, at, path));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
};

const endRecordOffset = (zip: Buffer): number => {
  const lowest = Math.max(0, zip.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = zip.length - END_BYTES; at >= lowest; at--) if (zip.readUInt32LE(at) === END_SIGNATURE) return at;
  throw new Error('the zip archive is cut off: it has no end record');
};

const fileAt = (zip: Buffer, header: number, path: string): SourceFile => {
  const mode = zip.readUInt32LE(header + 38) >>> 16;
  if ((mode & UNIX_TYPE_MASK) === UNIX_SYMLINK) throw new Error(`the zip archive holds a symbolic link: ${path}`);
  return { path, executable: (mode & 0o100) !== 0, read: () => contentOf(zip, header, path) };
};

const contentOf = (zip: Buffer, header: number, path: string): Buffer => {
  const method = zip.readUInt16LE(header + 10);
  const size = zip.readUInt32LE(header + 20);
  const local = zip.readUInt32LE(header + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const raw = zip.subarray(start, start + size);
  if (method === 0) return raw;
  if (method === 8) return inflateRawSync(raw);
  throw new Error(`the zip archive packs ${path} with unknown method ${method}`);
};
