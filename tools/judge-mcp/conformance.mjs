// The official conformance suite: the scenarios of both revisions that need no test tools inside the server.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOf } from './verdict.mjs';

const MAIN = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
};

/**
 * These need tools that a server would have only for the suite: one that samples, one that logs, one that streams.
 * @type {Record<string, string[]>}
 */
const EXPECTED_FAILURES = {
  'server-stateless': [
    'server-rejects-undeclared-capability',
    'missing-capability-http-400',
    'http-server-no-independent-requests-on-stream',
    'server-no-log-without-loglevel',
  ].map((id) => `sep-2575-${id}`),
};

/** @param {string} dir */
const checksIn = (dir) =>
  readdirSync(dir).flatMap(
    (run) =>
      /** @type {import('./verdict.mjs').Check[]} */ (JSON.parse(readFileSync(join(dir, run, 'checks.json'), 'utf8'))),
  );

/** @import { Context, Row } from './run.mjs' */

/** @param {Context} context @param {string} revision @param {string} scenario @returns {Promise<Row>} */
const judgeScenario = async ({ url, runTool, scratch }, revision, scenario) => {
  const results = mkdtempSync(join(scratch, 'results-'));
  const args = ['server', '--url', `${url}/mcp`, '--scenario', scenario, '--spec-version', revision, '-o', results];
  const { output } = await runTool(MAIN, args);
  const checks = checksIn(results);
  const { passed, failed, problems } = verdictOf(checks, EXPECTED_FAILURES[scenario]);
  const shown = checks.length === 0 ? [...problems, output.slice(-2_000)] : problems;
  return { judge: `conformance ${revision}`, scenario, passed, failed, problems: shown };
};

/** @param {Context} context @param {(row: Row) => void} report */
export const judgeConformance = async (context, report) => {
  for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
    for (const scenario of scenarios) report(await judgeScenario(context, revision, scenario));
  }
};
