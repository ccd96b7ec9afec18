// Writes docs/reference, .env.example and the import table of docs/ARCHITECTURE.md from the code. Run after a build.
// Usage: node tools/gen-docs.mjs [--check]   (--check writes nothing and exits 1 when a file is stale)
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TOOLS } from '@cairn/mcp-tools';
import { createMetrics } from '@cairn/observability';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { consoleApi } from './gen-console-api.mjs';
import { envExample, envPage } from './gen-docs-env.mjs';
import { withImportTables } from './gen-docs-imports.mjs';
import { limitsPage } from './gen-docs-limits.mjs';
import { errorsPage, eventsPage, metricsPage, toolsPage } from './gen-docs-pages.mjs';
import { subjectsPage } from './gen-docs-subjects.mjs';

/** @import { OpenApi, Schema } from './gen-console-api.mjs' */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @param {string} project @param {string} file a module that the project's index does not export */
const load = async (project, file) => {
  const path = join(root, project, 'dist', file);
  if (!existsSync(path)) throw new Error(`${project}/dist/${file} is missing: run "npm run build" first`);
  return /** @type {Promise<Record<string, unknown>>} */ (import(pathToFileURL(path).href));
};

const APPS = [
  { name: 'gateway', file: 'config.js', schema: 'gatewayEnv' },
  { name: 'ingest', file: 'config.js', schema: 'ingestEnv' },
  { name: 'search', file: 'config.js', schema: 'searchEnv' },
  { name: 'embedder', file: 'config.js', schema: 'embedderEnv' },
  { name: 'standalone', file: 'config.js', schema: 'standaloneEnv' },
  { name: 'cli', file: 'connection.js', schema: 'cliEnv' },
];

const environments = () =>
  Promise.all(
    APPS.map(async ({ name, file, schema }) => {
      const found = (await load(`apps/${name}`, file))[schema];
      if (!(found instanceof z.ZodType))
        throw new Error(`apps/${name}/src/${file.replace('.js', '.ts')} exports no ${schema}`);
      return { app: name, schema: found };
    }),
  );

/** The answers of these tools when they succeed, by name. @param {string[]} names @returns {Record<string, Schema>} */
const answersOf = (names) =>
  Object.fromEntries(
    TOOLS.filter(({ name }) => names.includes(name)).map(({ name, output }) => [
      name,
      /** @type {Schema} */ (z.toJSONSchema(output)),
    ]),
  );

const LIMITS = join(root, 'libs/contracts/src/limits');

const limitFiles = () =>
  Promise.all(
    readdirSync(LIMITS)
      .sort()
      .map(async (file) => {
        const name = basename(file, '.ts');
        const source = readFileSync(join(LIMITS, file), 'utf8');
        return { name, source, values: await load('libs/contracts', `limits/${name}.js`) };
      }),
  );

const pages = async () => {
  const { openApiDocument } = /** @type {{ openApiDocument: () => OpenApi }} */ (
    await load('apps/gateway', 'rest/openapi.js')
  );
  const document = openApiDocument();
  const envs = await environments();
  return {
    'docs/reference/env.md': envPage(envs),
    'docs/reference/subjects.md': subjectsPage(),
    'docs/reference/events.md': eventsPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/limits.md': limitsPage(await limitFiles(), await load('libs/contracts', 'limits.js')),
    'docs/reference/metrics.md': metricsPage(createMetrics().registry.getMetricsAsArray()),
    'docs/reference/tools.md': toolsPage(),
    'docs/reference/openapi.json': JSON.stringify(document, null, 2),
    'apps/console/src/api/gateway-api.ts': consoleApi(document, answersOf(['search_knowledge_base'])),
    'docs/ARCHITECTURE.md': withImportTables(readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')),
    '.env.example': envExample(envs),
  };
};

/**
 * Formatted; otherwise the format check and this one would never agree.
 * @param {string} path @param {string} text
 */
const formatted = async (path, text) => {
  if (path === '.env.example') return text;
  return format(text, { ...(await resolveConfig(join(root, path))), filepath: path });
};

/** Appears in a template for a value that the code no longer has, such as a renamed constant. */
const UNFILLED = /\bundefined\b|\bNaN\b|\[object Object\]/;

/** @param {string} path @param {string} text */
const assertFilled = (path, text) => {
  const line = text.split('\n').find((candidate) => UNFILLED.test(candidate));
  if (line !== undefined) throw new Error(`${path} has a value that is not filled in: ${line.trim()}`);
};

const isCheck = process.argv.includes('--check');
/** @type {string[]} */
const stale = [];
for (const [path, text] of Object.entries(await pages())) {
  assertFilled(path, text);
  const file = join(root, path);
  const wanted = await formatted(path, text);
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  stale.push(path);
  if (isCheck) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, wanted);
}
if (isCheck && stale.length > 0) {
  console.error(
    `generated docs are stale, run "node tools/gen-docs.mjs":\n${stale.map((path) => `  ${path}`).join('\n')}`,
  );
  process.exit(1);
}
console.log(
  isCheck
    ? 'docs: generated files are up to date'
    : `docs: ${stale.length} file${stale.length === 1 ? '' : 's'} written`,
);
