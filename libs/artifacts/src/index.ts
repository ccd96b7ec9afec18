/**
 * The artifact store: checksum-pinned files that npm cannot carry (models, server binaries), fetched from an ordered
 * list of mirrors, verified, cached, and available offline from then on.
 * Refuses to know a registry by address (each is reached through its own client), to read the environment, and to
 * hand out a file whose checksum it has not seen.
 */
export {
  describeMirror,
  type ArtifactEntry,
  type ArtifactFile,
  type ArtifactTree,
  type FilesArtifact,
  type Mirror,
  type TreeArtifact,
} from './artifact-entry.js';
export { artifactDirectory, defaultCacheDir } from './artifact-cache.js';
export { ensureArtifact, type EnsureArtifactOptions } from './ensure-artifact.js';
export {
  bgeSmallModel,
  miniLmModel,
  openSearch,
  POSTGRES_BIN_PATH,
  postgresNative,
  type PostgresPlatform,
} from './manifest.js';
export { runCommand, type CommandResult, type RunCommand } from './run-command.js';
