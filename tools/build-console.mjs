// Bundles the console with Vite when one of its files is newer than the bundle. Vite is loaded only then: a start with
// nothing to do stays fast.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const CONSOLE = join('apps', 'console');

/** @param {string} path @returns {number} */
const newest = (path) => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

/** @param {string} root @returns {Promise<boolean>} whether there was something to build */
export const buildConsole = async (root) => {
  const dir = join(root, CONSOLE);
  const dist = join(dir, 'dist');
  const bundle = join(dist, 'index.html');
  const sources = ['src', 'index.html', 'vite.config.mjs', '../../package-lock.json'].map((name) => join(dir, name));
  const changed = Math.max(...sources.map(newest));
  if (existsSync(bundle) && statSync(bundle).mtimeMs > changed) return false;
  const { build } = await import('vite');
  // Built in another folder and then moved, so two concurrent builds do not mix.
  const outDir = join(root, 'node_modules', '.cache', `console-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await build({ configFile: join(dir, 'vite.config.mjs'), build: { outDir, emptyOutDir: true } });
  rmSync(dist, { recursive: true, force: true });
  renameSync(outDir, dist);
  return true;
};
