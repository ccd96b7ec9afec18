import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FILE_BYTES_MAX, SOURCE_NAME_CHARS_MAX } from '@cairn/contracts';
import { uuidV8 } from '@cairn/kernel';
import type { ImportJournal } from './import-journal.js';
import { RequestRefused, type RestClient } from '../rest/rest-client.js';
import type { FileOutcome } from './run-import.js';
import type { FoundFile } from './walk-folder.js';

export interface ImportTarget {
  /** The real path of the imported folder. */
  readonly root: string;
  readonly folderId: string | undefined;
  readonly tags: readonly string[];
}

/** A symbolic link may have replaced the file since the walk; opening it then fails instead of following the link. */
const read = async (file: string): Promise<Buffer> => {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

/** The same file for the same target has the same key in every run, so a token that sends it twice stores it once. */
export const keyOf = ({ root, folderId, tags }: ImportTarget, path: string, sha256: string): string => {
  const place = JSON.stringify([root, folderId ?? null, tags, path, sha256]);
  return uuidV8(createHash('sha256').update(place).digest('hex'));
};

const formOf = ({ folderId, tags }: ImportTarget, path: string, bytes: Buffer): FormData => {
  const form = new FormData();
  if (path.length <= SOURCE_NAME_CHARS_MAX) form.append('source', JSON.stringify({ name: path }));
  if (folderId !== undefined) form.append('folderId', folderId);
  for (const tag of tags) form.append('tags', tag);
  form.append('file', new Blob([bytes]), basename(path));
  return form;
};

/**
 * The id of the new item. Undefined if the key was used before: the file was stored, and is now forgotten or hidden.
 */
const stored = async (client: RestClient, form: FormData, key: string): Promise<string | undefined> => {
  try {
    return (await client.post<{ readonly id: string }>('/items', form, key)).id;
  } catch (thrown) {
    if (thrown instanceof RequestRefused && thrown.code === 'idempotency.key_reused') return undefined;
    throw thrown;
  }
};

const checkSize = (bytes: number): void => {
  if (bytes > FILE_BYTES_MAX)
    throw new RequestRefused('input.too_large', `a file must have at most ${FILE_BYTES_MAX} bytes`);
};

/** The present content of a file, and whether the journal lists it with this content. Throws if it cannot be sent. */
export const inspectFile = async (journal: ImportJournal, root: string, { path, bytes: size }: FoundFile) => {
  checkSize(size);
  const content = await read(join(root, path));
  checkSize(content.length);
  const file = { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  return { content, file, isKnown: journal.has(file) };
};

/** Sends one file to the server, unless the journal lists it with its present content. */
export const uploadFile = async (
  client: RestClient,
  journal: ImportJournal,
  target: ImportTarget,
  found: FoundFile,
): Promise<FileOutcome> => {
  const { content, file, isKnown } = await inspectFile(journal, target.root, found);
  if (isKnown) return 'known';
  const itemId = await stored(client, formOf(target, file.path, content), keyOf(target, file.path, file.sha256));
  journal.add(itemId === undefined ? file : { ...file, itemId });
  return itemId === undefined ? 'known' : 'imported';
};
