import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { ACCOUNT_PATH_CHARS_MAX, EXTERNAL_REF_CHARS_MAX, MESH_TEXT_TOKENS_MAX, verbatim } from '@cairn/contracts';
import { DOCUMENT_FORMATS } from '@cairn/documents';
import { countTokens } from '@cairn/domain';
import { z } from 'zod';
import { defineConnector, type Connector, type ConnectorManifest, type SourceEntry } from './connector.js';
import { directoryOf, readFileBelow, readStartBelow } from './folder-files.js';

const folderSettings = z.strictObject({
  path: verbatim(1, ACCOUNT_PATH_CHARS_MAX).describe('A directory below one of CAIRN_CONNECTOR_ROOTS.'),
});

export const FOLDER_MANIFEST = {
  id: 'folder',
  name: 'Local folder',
  capabilities: ['sync', 'hydrate:text'],
  multiAccount: true,
  retention: 'full',
  settings: folderSettings,
} as const satisfies ConnectorManifest;

const FORMATS: ReadonlySet<string> = new Set(DOCUMENT_FORMATS.map((format) => `.${format}`));
/** The bytes of these formats are their text, so its tokens can be counted without a parser. */
const PLAIN: ReadonlySet<string> = new Set(['.txt', '.md', '.csv', '.json']);
const COUNTED_BYTES_MAX = 65_536;
const READ_AT_ONCE = 1_024;

const isWalked = (entry: Dirent): boolean =>
  !entry.name.startsWith('.') &&
  (entry.isDirectory() || (entry.isFile() && FORMATS.has(extname(entry.name).toLowerCase())));

/** An entry that cannot be read, such as one whose name is not UTF-8, has no state. */
const entryOf = async (directory: string, path: string): Promise<SourceEntry> => {
  const ref = relative(directory, path).split(sep).join('/');
  const title = basename(path).replace(/\.[^.]*$/, '') || basename(path);
  const found = ref.length > EXTERNAL_REF_CHARS_MAX ? undefined : await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return { ref, title, facts: {}, isUnreadable: true };
  const { size, mtimeMs, mtime } = found;
  const facts = { File: ref, Size: `${size} bytes`, Modified: mtime.toISOString() };
  return { ref, title, version: `${size}:${Math.round(mtimeMs)}`, facts };
};

/** A directory may have any number of other files, so only what is walked is held and sorted. */
const childrenOf = async (directory: string, signal: AbortSignal): Promise<Dirent[]> => {
  const children: Dirent[] = [];
  for await (const entry of await opendir(directory, { bufferSize: READ_AT_ONCE })) {
    signal.throwIfAborted();
    if (isWalked(entry)) children.push(entry);
  }
  return children.sort((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * Depth first, by name; hidden files, links and unsupported formats are left out. A directory below that cannot be
 * listed comes out in place of its files. Starts after the file whose path below the directory is given name by name.
 */
const walk = async function* (
  directory: string,
  signal: AbortSignal,
  [last = '', ...below]: readonly string[] = [],
): AsyncGenerator<string> {
  for (const entry of await childrenOf(directory, signal)) {
    const isLast = entry.name === last;
    if (entry.name < last || (isLast && below.length === 0)) continue;
    const path = join(directory, entry.name);
    try {
      if (entry.isDirectory()) yield* walk(path, signal, isLast ? below : []);
      else yield path;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      yield path;
    }
  }
};

const listFiles = async (
  directory: string,
  { limit, after, signal }: { readonly limit: number; readonly after?: string; readonly signal: AbortSignal },
): Promise<SourceEntry[]> => {
  const entries: SourceEntry[] = [];
  for await (const path of walk(directory, signal, after?.split('/'))) {
    entries.push(await entryOf(directory, path));
    if (entries.length >= limit) break;
    signal.throwIfAborted();
  }
  return entries;
};

/**
 * A long plain file is not read to its end: its beginning has as many tokens as a fetch returns, or the size is unknown.
 */
const tokensOf = async (directory: string, ref: string): Promise<number | undefined> => {
  const countedBytes = PLAIN.has(extname(ref).toLowerCase()) ? COUNTED_BYTES_MAX : 0;
  const { size, bytes } = await readStartBelow(directory, ref, countedBytes);
  const tokens = countTokens(Buffer.from(bytes).toString());
  return size <= countedBytes || tokens >= MESH_TEXT_TOKENS_MAX ? tokens : undefined;
};

/** Files of a directory that the operator allows. Nothing outside it is read, whatever links it holds. */
export const folderConnector = (roots: readonly string[]): Connector =>
  defineConnector({
    manifest: FOLDER_MANIFEST,
    check: async ({ path }) => {
      await directoryOf(path, roots);
    },
    list: async ({ settings }, options) => listFiles(await directoryOf(settings.path, roots), options),
    hydrate: async (ref, { settings }, { bytesMax }) => ({
      name: basename(ref),
      bytes: await readFileBelow(await directoryOf(settings.path, roots), ref, bytesMax),
    }),
    estimate: async (ref, { settings }) => tokensOf(await directoryOf(settings.path, roots), ref),
  });
