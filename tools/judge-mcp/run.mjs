// `npm run judge:mcp`: external judges of the MCP endpoint, against the real gateway with authentication on. Starts the
// standalone profile on an empty home with a proxy in front that adds a token, runs the conformance suite and MCP
// Inspector, and stops everything. The exit code is 1 when a judge reports an unexpected failure.
// `-- --gateways 3` puts three gateway processes behind the proxy, which sends each request to the next one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SCOPES } from '@cairn/contracts';
import { ServiceProcess } from '@cairn/local-servers';
import { StandaloneProcess, startRoundRobinProxy } from '@cairn/testing';
import { judgeConformance } from './conformance.mjs';
import { judgeWithInspector } from './inspector.mjs';
import { installJudges, toolRunner } from './tools.mjs';

const RATE_PER_HOUR = 1_000_000;

/**
 * @typedef {{ url: string, scratch: string, runTool: import('./tools.mjs').RunTool }} Context
 * @typedef {{
 *   judge: string,
 *   scenario: string,
 *   passed: number,
 *   failed: number,
 *   problems: string[],
 *   lint?: string | undefined,
 * }} Row
 */

/**
 * A separate token with every scope, so the judges see every tool.
 * @param {StandaloneProcess} standalone @returns {Promise<string>}
 */
const issueToken = async ({ run, token }) => {
  const response = await fetch(`${run.url}/api/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'judge', scopes: SCOPES, isUnscoped: true, rateLimitPerHour: RATE_PER_HOUR }),
  });
  if (response.status !== 201) throw new Error(`no token: ${response.status} ${await response.text()}`);
  const { token: issued } = /** @type {{ token: string }} */ (await response.json());
  return issued;
};

/** @param {StandaloneProcess} standalone */
const refusesWithoutToken = async ({ run }) => {
  const { status } = await fetch(run.mcpUrl, { method: 'POST' });
  if (status !== 401) throw new Error(`authentication is off: ${status} without a token`);
};

/**
 * Further gateways on the standalone's broker.
 * @param {StandaloneProcess} standalone @param {number} count
 */
const startGateways = (standalone, count) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const gateway = await (await ServiceProcess.on('gateway', { NATS_URL: standalone.run.natsUrl })).start();
      return { url: gateway.url, stop: () => gateway.end('SIGTERM') };
    }),
  );

/** @param {Row} row */
const printRow = ({ judge, scenario, passed, failed, problems, lint }) => {
  const mark = problems.length === 0 ? 'ok  ' : 'FAIL';
  const known = failed > 0 && problems.length === 0 ? '  (all of them expected)' : '';
  const counts = `${String(passed).padStart(3)} passed ${String(failed).padStart(3)} failed`;
  console.log(`${mark}  ${judge.padEnd(23)}  ${scenario.padEnd(42)} ${counts}${known}${lint ? `  lint: ${lint}` : ''}`);
};

/** @param {AbortSignal} signal @param {number} gatewayCount 0: the standalone's own gateway is judged */
const judge = async (signal, gatewayCount) => {
  const scratch = mkdtempSync(join(tmpdir(), 'cairn-judge-'));
  /** @type {(() => unknown)[]} */
  const ends = [() => rmSync(scratch, { recursive: true, force: true })];
  /** @type {Row[]} */
  const rows = [];
  try {
    installJudges();
    const standalone = await StandaloneProcess.start(join(scratch, 'home'));
    ends.unshift(() => standalone.stop());
    await refusesWithoutToken(standalone);
    const gateways = await startGateways(standalone, gatewayCount);
    ends.unshift(() => Promise.all(gateways.map(({ stop }) => stop())));
    const targets = gatewayCount > 0 ? gateways.map(({ url }) => url) : [standalone.run.url];
    const proxy = await startRoundRobinProxy(targets, { token: await issueToken(standalone) });
    ends.unshift(() => proxy.close());
    const context = { url: proxy.url, scratch, runTool: toolRunner(scratch, signal) };
    const report = (/** @type {Row} */ row) => {
      rows.push(row);
      printRow(row);
    };
    await judgeConformance(context, report);
    await judgeWithInspector(context, report);
  } finally {
    for (const end of ends) await end();
  }
  return rows;
};

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

const { values: options } = parseArgs({ options: { gateways: { type: 'string', default: '0' } } });
const startedAt = performance.now();
const rows = await judge(stop.signal, Number(options.gateways)).catch((/** @type {Error} */ error) => {
  console.error(`judge: ${stop.signal.aborted ? 'stopped' : error.stack}`);
  process.exit(1);
});
const failed = rows.filter(({ problems }) => problems.length > 0);
for (const { judge: who, scenario, problems } of failed) {
  console.error(`\n${who}, ${scenario}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(`\njudge: ${rows.length - failed.length} of ${rows.length} as expected, in ${seconds} s`);
process.exitCode = failed.length > 0 ? 1 : 0;
