import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { SourceFile } from './archive.js';
import type { ArtifactEntry, ArtifactFile, ArtifactTree } from './artifact-entry.js';
import { sha256Of } from './checksum.js';

export interface CollectedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes the files that the entry lists into `target`, each pinned file only after its checksum has been verified. */
export const collect = (
  entry: ArtifactEntry,
  sources: readonly SourceFile[],
  target: string,
): Promise<readonly CollectedFile[]> =>
  'files' in entry ? collectFiles(entry.files, sources, target) : collectTree(entry.tree, sources, target);

const collectFiles = async (wanted: readonly ArtifactFile[], sources: readonly SourceFile[], target: string) => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const collected: CollectedFile[] = [];
  for (const file of wanted) {
    const source = byPath.get(file.pathInArchive ?? file.path) ?? byPath.get(file.path);
    if (source === undefined) throw new Error(`it holds no file ${file.pathInArchive ?? file.path}`);
    const content = source.read();
    const sha256 = sha256Of(content);
    if (sha256 !== file.sha256) throw new Error(`${file.path} has sha256 ${sha256}, expected ${file.sha256}`);
    collected.push(await write(target, file.path, content, sha256, source.executable));
  }
  return collected;
};

const collectTree = async (tree: ArtifactTree, sources: readonly SourceFile[], target: string) => {
  const prefixes = tree.prefixes ?? [''];
  const chosen = sources.filter(({ path }) => prefixes.some((prefix) => path.startsWith(prefix)));
  if (chosen.length === 0) throw new Error(`it holds nothing under ${prefixes.join(', ')}`);
  const collected: CollectedFile[] = [];
  for (const source of chosen) {
    const content = source.read();
    collected.push(await write(target, source.path, content, sha256Of(content), source.executable));
  }
  const sha256 = treeSha256(collected);
  if (tree.sha256 !== undefined && sha256 !== tree.sha256)
    throw new Error(`its ${collected.length} files have the tree sha256 ${sha256}, expected ${tree.sha256}`);
  return collected;
};

const treeSha256 = (files: readonly CollectedFile[]): string => {
  const lines = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  return sha256Of(lines.sort().join(''));
};

const write = async (target: string, path: string, content: Buffer, sha256: string, executable: boolean) => {
  const inner = normalize(path);
  if (inner.startsWith('..') || inner.startsWith(sep))
    throw new Error(`it holds a path that leaves its folder: ${path}`);
  const file = join(target, inner);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content, { mode: executable ? 0o755 : 0o644 });
  return { path, bytes: content.length, sha256 };
};
