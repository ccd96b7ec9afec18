// The import table (docs/ARCHITECTURE.md, "Who may import whom") as a check: reads every import of every project and
// fails on one that the table does not allow. The table is data here and nowhere else.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isTestSupport, isTestSupportImport } from './test-support.mjs';

export const LAYERS = {
  core: { projects: ['kernel', 'contracts', 'access', 'domain', 'mcp-tools'], mayUse: ['core'] },
  platform: {
    projects: [
      'messaging',
      'persistence',
      'auth',
      'vault',
      'artifacts',
      'observability',
      'local-servers',
      'documents',
      'web-fetch',
      'correction',
    ],
    mayUse: ['core', 'platform'],
  },
  engine: {
    projects: ['op-log', 'projections', 'embedding', 'ranking', 'retrieval'],
    mayUse: ['core', 'platform', 'engine'],
  },
  test: { projects: ['testing', 'e2e', 'benchmarks'], mayUse: ['core', 'platform', 'engine', 'test'] },
};

const EVERY_APP = ['kernel', 'contracts', 'messaging', 'observability'];
export const APPS = {
  gateway: [...EVERY_APP, 'access', 'auth', 'mcp-tools', 'documents', 'web-fetch'],
  ingest: [
    ...EVERY_APP,
    'access',
    'auth',
    'domain',
    'correction',
    'op-log',
    'vault',
    'projections',
    'persistence',
    'ranking',
  ],
  embedder: [...EVERY_APP, 'op-log', 'vault', 'embedding', 'artifacts'],
  search: [...EVERY_APP, 'access', 'auth', 'ranking', 'retrieval', 'vault', 'projections', 'embedding', 'persistence'],
  cli: [...EVERY_APP, ...LAYERS.engine.projects, 'domain', 'persistence', 'auth', 'vault', 'artifacts', 'documents'],
  // The web page speaks to the gateway over HTTP only, and lives in a browser.
  console: [],
  // The single exception: the four services in one process.
  standalone: [
    ...EVERY_APP,
    ...['gateway', 'ingest', 'search', 'embedder'],
    ...['auth', 'local-servers', 'vault', 'artifacts', 'embedding', 'persistence', 'correction'],
  ],
};

const layerOf = (project) => Object.keys(LAYERS).find((layer) => LAYERS[layer].projects.includes(project));

export const allowedProjects = (project) => {
  if (APPS[project]) return APPS[project];
  const layer = LAYERS[layerOf(project)];
  return layer ? layer.mayUse.flatMap((name) => LAYERS[name].projects) : [];
};

/** Why this import is not allowed, or undefined. */
export const violation = (project, specifier, { isTest }) => {
  if (!isTest && isTestSupportImport(specifier)) return 'test support, which is never compiled';
  if (specifier.startsWith('@cairn/')) {
    const [, target, ...deep] = specifier.split('/');
    if (deep.length > 0 && !isTestSupportImport(specifier)) return 'deep import: use the index';
    if (target === project) return 'a project does not import itself by name';
    if (isTest && !APPS[target]) return undefined;
    return allowedProjects(project).includes(target) ? undefined : `${project} may not use ${target}`;
  }
  if (isTest || specifier.startsWith('.')) return undefined;
  const isBuiltin = specifier.startsWith('node:') || builtinModules.includes(specifier);
  if (LAYERS.core.projects.includes(project) && specifier !== 'zod') return 'core uses zod only, no Node built-ins';
  if (isBuiltin && !specifier.startsWith('node:')) return `write node:${specifier}`;
  if (specifier === '@nestjs/microservices' && layerOf(project) === 'engine')
    return 'engine knows no Nest microservices';
  const isDatabase = ['pg', 'typeorm', '@opensearch-project/opensearch'].includes(specifier);
  if (isDatabase && ['gateway', 'embedder'].includes(project)) return `${project} touches no database`;
  return undefined;
};

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

export const importsOf = (source) => [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);

function* sources(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

const check = (root) => {
  const dirs = ['apps', 'libs'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)));
  const found = [];
  for (const dir of [...dirs, 'e2e', 'benchmarks']) {
    if (!existsSync(join(root, dir, 'src'))) continue;
    const project = dir.split('/').pop();
    for (const file of sources(join(root, dir, 'src'))) {
      const isTest = isTestSupport(file);
      for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
        const reason = violation(project, specifier, { isTest });
        if (reason) found.push(`${relative(root, file)}: imports ${specifier}: ${reason}`);
      }
    }
  }
  return found;
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = check(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const line of found) console.error(line);
  if (found.length > 0) process.exit(1);
  console.log('imports: every import is allowed by the table');
}
