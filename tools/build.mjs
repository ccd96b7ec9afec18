// Compiles every project's src/ to dist/ with swc in one process: only changed files, and no type check (`npm run
// check` has it). The console is a page for browsers and is bundled instead (tools/build-console.mjs).
// Usage: node tools/build.mjs [project folder …]
import { transformFile } from '@swc/core';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync, copyFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole, CONSOLE } from './build-console.mjs';
import { isTestSupport } from './test-support.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const allProjects = () =>
  ['apps', 'libs']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
    .concat('e2e', 'benchmarks', 'drills')
    .filter((dir) => existsSync(join(root, dir, 'src')));

/** @param {string} file */
const mtime = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** @type {readonly string[]} */
const projects = process.argv.length > 2 ? process.argv.slice(2) : allProjects();
const oldest = Math.max(mtime(join(root, '.swcrc')), mtime(fileURLToPath(import.meta.url)));

/** @param {string} dir @returns {Generator<string>} */
function* filesUnder(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** @param {string} dir @returns {Promise<number>} how many files were compiled */
const buildProject = async (dir) => {
  const src = join(root, dir, 'src');
  const dist = join(root, dir, 'dist');
  const wanted = new Set();
  let compiled = 0;
  for (const file of filesUnder(src)) {
    if (isTestSupport(file)) continue;
    const isSource = file.endsWith('.ts');
    const out = join(dist, relative(src, file)).replace(/\.ts$/, '.js');
    wanted.add(out).add(`${out}.map`);
    if (mtime(out) > Math.max(mtime(file), oldest)) continue;
    mkdirSync(dirname(out), { recursive: true });
    compiled++;
    if (!isSource) {
      copyFileSync(file, out);
      continue;
    }
    const { code, map } = await transformFile(file, { sourceMaps: true, cwd: root, root });
    writeFileSync(out, `${code}\n//# sourceMappingURL=${out.split('/').pop()}.map\n`);
    writeFileSync(`${out}.map`, map ?? '');
  }
  if (existsSync(dist)) for (const file of filesUnder(dist)) if (!wanted.has(file)) rmSync(file);
  return compiled;
};

const counts = await Promise.all(projects.filter((dir) => dir !== CONSOLE).map((dir) => buildProject(dir)));
const total = counts.reduce((a, b) => a + b, 0);
if (total > 0) console.log(`build: ${total} ${total === 1 ? 'file' : 'files'} compiled`);
if (projects.includes(CONSOLE) && (await buildConsole(root))) console.log('build: the console was bundled');
