import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '@cairn/documents';
import { failureOf, type FailedFile } from './failed-file.js';

export interface FoundFile {
  /** Relative to the folder, with forward slashes on every system. */
  readonly path: string;
  readonly bytes: number;
}

export interface Walk {
  readonly files: readonly FoundFile[];
  /** The number of skipped entries, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Entries that could not be read, such as a folder of another user. */
  readonly failed: readonly FailedFile[];
}

type Entry = { readonly name: string; isSymbolicLink(): boolean; isFile(): boolean };

const extensionOf = (name: string): string => /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? 'no extension';

const reasonToSkip = (entry: Entry): string | undefined => {
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isSymbolicLink()) return 'symbolic link';
  if (!entry.isFile()) return 'not a file';
  try {
    formatOf(entry.name);
    return undefined;
  } catch {
    return `unsupported (${extensionOf(entry.name)})`;
  }
};

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

/** The importable files of a folder, sorted by name. Links are not followed: they may point outside the folder. */
export const walkFolder = (root: string): Walk => {
  const files: FoundFile[] = [];
  const skipped: Record<string, number> = {};
  const failed: FailedFile[] = [];
  const take = (path: string, entry: Entry): void => {
    const reason = reasonToSkip(entry);
    if (reason === undefined) files.push({ path, bytes: statSync(join(root, path)).size });
    else skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort(byName)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      try {
        if (entry.isDirectory() && !entry.name.startsWith('.')) visit(path);
        else take(path, entry);
      } catch (thrown) {
        failed.push(failureOf(path, thrown));
      }
    }
  };
  visit('');
  return { files, skipped, failed };
};
