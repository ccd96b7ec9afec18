import { readFile, rename, rm, stat, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArtifactEntry } from './artifact-entry.js';
import { sha256Of, sha256OfFile } from './checksum.js';
import type { CollectedFile } from './collect.js';

/** Written last: a directory without it was never verified. */
const MARKER = '.verified.json';
const PUBLISH_ATTEMPTS_MAX = 3;

interface Marker {
  readonly fingerprint: string;
  readonly files: readonly CollectedFile[];
}

export const defaultCacheDir = (home: string): string => join(home, '.cache', 'cairn');

export const artifactDirectory = (cacheDir: string, entry: ArtifactEntry): string =>
  join(cacheDir, entry.name, entry.version);

export const writeMarker = async (entry: ArtifactEntry, directory: string, files: readonly CollectedFile[]) => {
  const marker: Marker = { fingerprint: fingerprintOf(entry), files };
  await writeFile(join(directory, MARKER), JSON.stringify(marker));
};

/**
 * Checks the size of every file, and the full checksum of pinned ones: those are few, and a damaged model answers
 * nonsense.
 */
export const isIntact = async (entry: ArtifactEntry, directory: string): Promise<boolean> => {
  const marker = await readMarker(directory);
  if (marker?.fingerprint !== fingerprintOf(entry)) return false;
  const sizes = await Promise.all(marker.files.map((file) => hasSize(join(directory, file.path), file.bytes)));
  if (sizes.includes(false)) return false;
  if (!('files' in entry)) return true;
  for (const file of entry.files) {
    if ((await sha256OfFile(join(directory, file.path))) !== file.sha256) return false;
  }
  return true;
};

/**
 * Moves a verified directory into place in one rename. If another process was first, its verified copy stays and the
 * new one is dropped; a copy that fails verification is moved out of the way.
 */
export const publish = async (entry: ArtifactEntry, ready: string, directory: string): Promise<void> => {
  await mkdir(dirname(directory), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(ready, directory);
    } catch (error) {
      if (await isIntact(entry, directory)) return;
      if (attempt === PUBLISH_ATTEMPTS_MAX) throw error;
      await removeAside(directory, `${ready}-damaged-${attempt}`);
    }
  }
};

const removeAside = async (directory: string, aside: string): Promise<void> => {
  await rename(directory, aside).catch(() => undefined);
  await rm(aside, { recursive: true, force: true });
};

/** A change to the pinned content makes an old cache entry count as absent, even under the same version. */
const fingerprintOf = (entry: ArtifactEntry): string => {
  const pinned = 'files' in entry ? { files: entry.files } : { tree: entry.tree };
  return sha256Of(JSON.stringify({ ...pinned, archiveSha256: entry.archiveSha256 }));
};

const readMarker = async (directory: string): Promise<Marker | undefined> => {
  try {
    return JSON.parse(await readFile(join(directory, MARKER), 'utf8')) as Marker;
  } catch {
    return undefined;
  }
};

const hasSize = async (file: string, bytes: number): Promise<boolean> => {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && found.size === bytes;
};
