// Hooks of Node's module loader: imports of this workspace resolve to its TypeScript sources, which are compiled when
// loaded, as jest does. Test support is in no dist, so a command that needs it runs on the sources.
import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const OWN = /^@cairn\/([a-z-]+)(\/testing)?$/;

/** @param {string} specifier @param {string | undefined} parent */
const sourceOf = (specifier, parent) => {
  const own = OWN.exec(specifier);
  if (own) return join(ROOT, 'libs', own[1] ?? '', 'src', own[2] ? 'testing.ts' : 'index.ts');
  if (!parent?.endsWith('.ts') || !/^\.{1,2}\/.*\.js$/.test(specifier)) return undefined;
  return fileURLToPath(new URL(specifier.replace(/\.js$/, '.ts'), parent));
};

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) => {
  const source = sourceOf(specifier, context.parentURL);
  if (source === undefined || !existsSync(source)) return next(specifier, context);
  return { url: pathToFileURL(source).href, format: 'module', shortCircuit: true };
};

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, next) => {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { cwd: ROOT, root: ROOT, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
};
