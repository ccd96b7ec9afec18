import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const distFolders = (): string[] =>
  ['apps', 'libs']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((project) => join(ROOT, group, project, 'dist')))
    .filter((folder) => existsSync(folder));

/**
 * The number of product files that were recompiled since then. A run starts several processes, and each loads the build
 * of that moment: after a rebuild in between, the lines measure different programs.
 */
export const filesRebuiltSince = (startMs: number): number =>
  distFolders()
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
    .filter((file) => file.endsWith('.js') && statSync(file).mtimeMs > startMs).length;
