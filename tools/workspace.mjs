// The projects of this workspace as the checks see them: their manifests, their files, and the imports of those files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestSupport } from './test-support.mjs';

/**
 * @typedef {Record<string, string>} Versions
 * @typedef {{
 *   name: string,
 *   version: string,
 *   scripts?: Versions,
 *   dependencies?: Versions,
 *   devDependencies?: Versions,
 *   nx?: { tags: string[] },
 * }} Manifest
 * @typedef {{ path: string, isTest: boolean, imports: string[] }} SourceFile
 * @typedef {{ dir: string, name: string, manifest: Manifest, files: SourceFile[] }} Project
 */

export const ROOT = join(import.meta.dirname, '..');

const IMPORT =
  /^\s*(?:import|export)\b[^'"`=]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|\bcreateRequire\(import\.meta\.url\)(?:\.resolve)?\(\s*['"]([^'"]+)['"]/gm;

/** @param {string} source */
export const importsOf = (source) =>
  [...source.matchAll(IMPORT)].flatMap((match) => match.slice(1).find((specifier) => specifier) ?? []);

/** @param {string} dir @returns {Generator<string>} */
function* sourcesUnder(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sourcesUnder(path);
    else if (/\.(tsx?|mjs)$/.test(entry.name)) yield path;
  }
}

/** @param {string} dir */
export const readManifest = (dir) =>
  /** @type {Manifest} */ (JSON.parse(readFileSync(join(ROOT, dir, 'package.json'), 'utf8')));

/** @param {string} dir @returns {Project} */
const readProject = (dir) => {
  const files = [...sourcesUnder(join(ROOT, dir))].map((file) => {
    const path = file.slice(ROOT.length + 1);
    return {
      path,
      isTest: isTestSupport(path) || path.endsWith('.config.mjs'),
      imports: importsOf(readFileSync(file, 'utf8')),
    };
  });
  const name = dir.split('/').at(-1) ?? dir;
  return { dir, name, manifest: readManifest(dir), files };
};

const projectDirs = () =>
  ['apps', 'libs']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
    .concat('e2e', 'benchmarks', 'drills', 'tools')
    .filter((dir) => existsSync(join(ROOT, dir, 'package.json')));

export const readManifests = () => projectDirs().map(readManifest);

export const readProjects = () => projectDirs().map(readProject);
