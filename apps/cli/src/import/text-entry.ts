import { basename } from 'node:path';
import { BATCH_ITEMS_MAX, BODY_BYTES_MAX, SOURCE_NAME_CHARS_MAX } from '@cairn/contracts';
import { DocumentParser, fileItem } from '@cairn/documents';
import type { DoneFile } from './import-journal.js';
import { keyOf, type ImportTarget } from './upload-file.js';

/** A file as an item of a batch. */
export interface TextEntry {
  readonly file: DoneFile;
  readonly json: string;
}

/** Plain text is decoded in this process; a parser of its own is never started here. */
const parser = new DocumentParser();
const CALLER = { workspaceId: 'import', tokenId: 'import' };

/** Stored like an upload of the file, under the same key, so that either of them is a repeat of the other. */
export const textEntry = async (target: ImportTarget, file: DoneFile, bytes: Uint8Array): Promise<TextEntry> => {
  const { path, sha256 } = file;
  const found = await fileItem({ fileName: basename(path), bytes }, (given) => parser.parse(given, CALLER));
  const { title, text, name, format } = found;
  const json = JSON.stringify({
    title,
    text,
    format,
    ...(target.folderId !== undefined && { folderId: target.folderId }),
    tags: target.tags,
    source: { kind: 'file', name: path.length <= SOURCE_NAME_CHARS_MAX ? path : name },
    idempotencyKey: keyOf(target, path, sha256),
  });
  return { file, json };
};

export const batchOf = (entries: readonly TextEntry[]): string =>
  `{"items":[${entries.map(({ json }) => json).join(',')}]}`;

const fits = (entries: readonly TextEntry[]): boolean =>
  entries.length <= BATCH_ITEMS_MAX && Buffer.byteLength(batchOf(entries)) <= BODY_BYTES_MAX;

export const fitsAlone = (entry: TextEntry): boolean => fits([entry]);

/** Entries, cut into as few requests as their size allows. Each of them fits alone. */
export const inRequests = (entries: readonly TextEntry[]): readonly (readonly TextEntry[])[] => {
  if (entries.length === 0) return [];
  if (fits(entries)) return [entries];
  const half = Math.ceil(entries.length / 2);
  return [...inRequests(entries.slice(0, half)), ...inRequests(entries.slice(half))];
};
