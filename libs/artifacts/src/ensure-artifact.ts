import { fail, plural } from '@cairn/contracts';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesIn } from './archive.js';
import { artifactDirectory, isIntact, publish, writeMarker } from './artifact-cache.js';
import { describeMirror, type ArtifactEntry, type Mirror } from './artifact-entry.js';
import { sha256OfFile } from './checksum.js';
import { collect } from './collect.js';
import { fetchMirror } from './mirrors.js';
import { runCommand, type RunCommand } from './run-command.js';

export interface EnsureArtifactOptions {
  readonly cacheDir: string;
  readonly onProgress?: (line: string) => void;
  readonly run?: RunCommand;
}

const STAGING_PREFIX = '.staging-';
const STAGING_AGE_MAX_MS = 24 * 60 * 60_000;
const HEARTBEAT_MS = 10_000;

const inFlight = new Map<string, Promise<string>>();

/**
 * The directory that holds the verified artifact: at once if it is cached, otherwise from the first mirror that
 * delivers.
 */
export const ensureArtifact = (entry: ArtifactEntry, options: EnsureArtifactOptions): Promise<string> => {
  const directory = artifactDirectory(options.cacheDir, entry);
  const running = inFlight.get(directory);
  if (running !== undefined) return running;
  const work = ensure(entry, directory, options).finally(() => inFlight.delete(directory));
  inFlight.set(directory, work);
  return work;
};

const ensure = async (entry: ArtifactEntry, directory: string, options: EnsureArtifactOptions): Promise<string> => {
  if (await isIntact(entry, directory)) return directory;
  const staging = await openStaging(options.cacheDir);
  try {
    const ready = await fillFromMirrors(entry, staging, options);
    await publish(entry, ready, directory);
    return directory;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};

/** Staging is inside the cache, so that the last step is a rename on one file system. */
const openStaging = async (cacheDir: string): Promise<string> => {
  try {
    await mkdir(cacheDir, { recursive: true });
    await removeAbandonedStaging(cacheDir);
    return await mkdtemp(join(cacheDir, STAGING_PREFIX));
  } catch (cause) {
    const message = `The artifact cache ${cacheDir} cannot be written; set CAIRN_CACHE to a directory that can.`;
    throw fail('artifact.unavailable', message, { cacheDir }, cause);
  }
};

/** Staging that a killed process left behind; a day is far longer than any fetch takes. */
const removeAbandonedStaging = async (cacheDir: string): Promise<void> => {
  const names = (await readdir(cacheDir)).filter((name) => name.startsWith(STAGING_PREFIX));
  for (const path of names.map((name) => join(cacheDir, name))) {
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > STAGING_AGE_MAX_MS) await rm(path, { recursive: true, force: true });
  }
};

const fillFromMirrors = async (
  entry: ArtifactEntry,
  staging: string,
  options: EnsureArtifactOptions,
): Promise<string> => {
  const progress = options.onProgress ?? (() => undefined);
  const failures: string[] = [];
  for (const [index, mirror] of entry.mirrors.entries()) {
    const place = describeMirror(mirror);
    const workDir = join(staging, String(index));
    try {
      progress(`${entry.name} ${entry.version}: fetching from ${place}`);
      return await fillFromMirror(entry, mirror, workDir, options.run ?? runCommand, progress);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(`${place}: ${reason}`);
      progress(`${entry.name} ${entry.version}: not from ${place}: ${reason}`);
    }
  }
  throw unavailable(entry, failures);
};

const fillFromMirror = async (
  entry: ArtifactEntry,
  mirror: Mirror,
  workDir: string,
  run: RunCommand,
  progress: (line: string) => void,
): Promise<string> => {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
  const heartbeat = setInterval(() => progress(`${entry.name}: still fetching, ${seconds()}`), HEARTBEAT_MS);
  const source = await fetchMirror(mirror, workDir, run).finally(() => clearInterval(heartbeat));
  await checkArchive(entry, source);
  const ready = join(workDir, 'ready');
  const files = await collect(entry, filesIn(source), ready);
  await writeMarker(entry, ready, files);
  const megabytes = files.reduce((sum, file) => sum + file.bytes, 0) / 1e6;
  progress(
    `${entry.name} ${entry.version}: verified ${plural(files.length, 'file')}, ${megabytes.toFixed(1)} MB, ${seconds()}`,
  );
  return ready;
};

/** A directory has no checksum of its own; its files are checked one by one. */
const checkArchive = async (entry: ArtifactEntry, source: string): Promise<void> => {
  if (entry.archiveSha256 === undefined || (await stat(source)).isDirectory()) return;
  const sha256 = await sha256OfFile(source);
  if (sha256 !== entry.archiveSha256)
    throw new Error(`the archive has sha256 ${sha256}, expected ${entry.archiveSha256}`);
};

const unavailable = (entry: ArtifactEntry, failures: readonly string[]): Error => {
  const tried = failures.map((failure) => `  - ${failure}`).join('\n');
  const message = `${entry.name} ${entry.version} could not be had from any mirror:\n${tried}\n${entry.advice}`;
  return fail('artifact.unavailable', message, { artifact: entry.name, version: entry.version });
};
