// Fails on an import that tools/import-table.mjs does not allow.
import { builtinModules } from 'node:module';
import { pathToFileURL } from 'node:url';
import { APPS, LAYERS } from './import-table.mjs';
import { isTestSupportImport } from './test-support.mjs';
import { readManifests, readProjects } from './workspace.mjs';

/** Names of the projects of each layer. */
export const projectsByLayer = () => {
  /** @type {Map<string, string[]>} */
  const byLayer = new Map();
  for (const { nx, name } of readManifests()) {
    const layer = nx?.tags.find((tag) => tag.startsWith('layer:'))?.slice('layer:'.length);
    if (!layer) throw new Error(`${name} has no layer tag in its package.json`);
    byLayer.set(layer, [...(byLayer.get(layer) ?? []), name.replace('@cairn/', '')]);
  }
  return byLayer;
};

const BY_LAYER = projectsByLayer();
const projectsOf = (/** @type {string} */ layer) => BY_LAYER.get(layer) ?? [];

/** @param {string} project */
const layerOf = (project) => [...BY_LAYER.keys()].find((layer) => projectsOf(layer).includes(project)) ?? '';

/** @param {string} project @returns {string[]} */
export const allowedProjects = (project) => {
  const app = APPS[project];
  if (!app) return LAYERS[layerOf(project)]?.mayUse.flatMap(projectsOf) ?? [];
  return app.mayUse.flatMap((name) => (name.startsWith('layer:') ? projectsOf(name.slice('layer:'.length)) : name));
};

/** @param {string} project @param {string} specifier @param {boolean} isTest */
const workspaceViolation = (project, specifier, isTest) => {
  const [, target = '', ...deep] = specifier.split('/');
  if (deep.length > 0 && !isTestSupportImport(specifier)) return 'deep import: use the index';
  if (target === project) return 'a project does not import itself by name';
  if (isTest && !APPS[target]) return undefined;
  return allowedProjects(project).includes(target) ? undefined : `${project} may not use ${target}`;
};

/** @param {string} project @param {string} specifier */
const packageViolation = (project, specifier) => {
  const { only, not = [], words } = LAYERS[layerOf(project)]?.packages ?? { words: '' };
  if (only && !only.includes(specifier)) return `${project} may use ${words}`;
  if (!specifier.startsWith('node:') && builtinModules.includes(specifier)) return `write node:${specifier}`;
  if (not.includes(specifier)) return `${project} may use ${words}`;
  return APPS[project]?.not?.includes(specifier) ? `${project} may use ${APPS[project].words}` : undefined;
};

/**
 * Why this import is not allowed, or undefined.
 * @param {string} project @param {string} specifier @param {{ isTest: boolean }} file
 */
export const violation = (project, specifier, { isTest }) => {
  if (!isTest && isTestSupportImport(specifier)) return 'test support, which is never compiled';
  if (specifier.startsWith('@cairn/')) return workspaceViolation(project, specifier, isTest);
  return isTest || specifier.startsWith('.') ? undefined : packageViolation(project, specifier);
};

const violations = () =>
  readProjects().flatMap(({ name, files }) =>
    files.flatMap(({ path, imports, isTest }) =>
      imports.flatMap((specifier) => {
        const reason = violation(name, specifier, { isTest });
        return reason ? [`${path}: imports ${specifier}: ${reason}`] : [];
      }),
    ),
  );

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = violations();
  for (const line of found) console.error(line);
  if (found.length > 0) process.exit(1);
  console.log('imports: every import is allowed by the table');
}
