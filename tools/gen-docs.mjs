// Writes docs/reference and .env.example from the code, so that they cannot say anything else. Run after a build.
// Usage: node tools/gen-docs.mjs [--check]   (--check writes nothing and exits 1 when a file is stale)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { consoleApi } from './gen-console-api.mjs';
import { envExample, envPage } from './gen-docs-env.mjs';
import { errorsPage, eventsPage, limitsPage, metricsPage, subjectsPage, toolsPage } from './gen-docs-pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const load = async (project, file = 'index.js') => {
  const path = join(root, project, 'dist', file);
  if (!existsSync(path)) throw new Error(`${project}/dist/${file} is missing: run "npm run build" first`);
  return import(pathToFileURL(path).href);
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
      if (!found) throw new Error(`apps/${name}/src/${file.replace('.js', '.ts')} exports no ${schema}`);
      return { app: name, schema: found };
    }),
  );

/** What the tools of these names answer when they succeed. */
const answersOf = ({ findTool }, names) =>
  Object.fromEntries(names.map((name) => [name, z.toJSONSchema(findTool(name).output)]));

const pages = async () => {
  const contracts = await load('libs/contracts');
  const { createMetrics } = await load('libs/observability');
  const tools = await load('libs/mcp-tools');
  const { openApiDocument } = await load('apps/gateway', 'rest/openapi.js');
  const document = openApiDocument();
  const envs = await environments();
  const limits = await load('libs/contracts', 'limits.js');
  return {
    'docs/reference/env.md': envPage(envs),
    'docs/reference/subjects.md': subjectsPage(contracts),
    'docs/reference/events.md': eventsPage(contracts),
    'docs/reference/errors.md': errorsPage(contracts),
    'docs/reference/limits.md': limitsPage(limits),
    'docs/reference/metrics.md': metricsPage(createMetrics().registry.getMetricsAsArray()),
    'docs/reference/tools.md': toolsPage(tools),
    'docs/reference/openapi.json': JSON.stringify(document, null, 2),
    'apps/console/src/api/gateway-api.ts': consoleApi(document, answersOf(tools, ['search_knowledge_base'])),
    '.env.example': envExample(envs),
  };
};

/** As the formatter would leave it, or the format check and this one would never agree. */
const formatted = async (path, text) => {
  if (path === '.env.example') return text;
  return format(text, { ...(await resolveConfig(join(root, path))), filepath: path });
};

/** What a template prints for a value that the code no longer has, such as a renamed constant. */
const UNFILLED = /\bundefined\b|\bNaN\b|\[object Object\]/;

const assertFilled = (path, text) => {
  const line = text.split('\n').find((candidate) => UNFILLED.test(candidate));
  if (line !== undefined) throw new Error(`${path} has a value that is not filled in: ${line.trim()}`);
};

const isCheck = process.argv.includes('--check');
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
