import type { SourceFile } from './archive.js';

const BLOCK_BYTES = 512;
/** npm puts every file of a package under this folder. */
const NPM_ROOT = 'package/';

/** Reads a tar (ustar, with pax or GNU long names); links and devices are skipped, since npm packages have none. */
export const filesInTar = (tar: Buffer): SourceFile[] => {
  const files: SourceFile[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK_BYTES <= tar.length && tar[at] !== 0;) {
    const size = parseInt(text(tar, at + 124, 12), 8);
    const content = tar.subarray(at + BLOCK_BYTES, at + BLOCK_BYTES + size);
    if (content.length !== size || Number.isNaN(size)) throw new Error('the tar archive is damaged or cut off');
    const type = text(tar, at + 156, 1) || '0';
    if (type === 'x') longName = /\d+ path=(.*)\n/.exec(content.toString('utf8'))?.[1];
    else if (type === 'L') longName = text(content, 0, size);
    else {
      const path = longName ?? nameAt(tar, at);
      longName = undefined;
      if (type === '0') files.push(fileOf(path, parseInt(text(tar, at + 100, 8), 8), content));
    }
    at += BLOCK_BYTES * (1 + Math.ceil(size / BLOCK_BYTES));
  }
  return files;
};

const fileOf = (path: string, mode: number, content: Buffer): SourceFile => {
  const inner = path.startsWith(NPM_ROOT) ? path.slice(NPM_ROOT.length) : path;
  return { path: inner, executable: (mode & 0o100) !== 0, read: () => content };
};

const nameAt = (tar: Buffer, at: number): string => {
  const isUstar = text(tar, at + 257, 5) === 'ustar';
  const prefix = isUstar ? text(tar, at + 345, 155) : '';
  const name = text(tar, at, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
};

const text = (buffer: Buffer, start: number, length: number): string => {
  const field = buffer.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end).trim();
};
