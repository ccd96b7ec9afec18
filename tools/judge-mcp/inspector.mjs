// MCP Inspector on the command line: the view of a client in daily use, with strict linting of tool schemas.
import { TOOLS } from '@cairn/mcp-tools';

const MAIN = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const LIST = ['--method', 'tools/list', '--strict'];
const CALL = [
  ...['--method', 'tools/call', '--tool-name', 'search_knowledge_base'],
  ...['--tool-args-json', '{"query":"harbour","limit":5}'],
];
const ERAS = ['legacy', 'modern'];

const RUNS = [
  ...ERAS.map((era) => ({ name: `tools/list --strict, ${era}`, path: '/mcp', transport: 'http', era, ask: LIST })),
  ...ERAS.map((era) => ({ name: `tools/call, ${era}`, path: '/mcp', transport: 'http', era, ask: CALL })),
  { name: 'tools/list --strict, HTTP+SSE', path: '/mcp/sse', transport: 'sse', era: 'legacy', ask: LIST },
];

/** @import { Context, Row } from './run.mjs' */

/** A token that lacks a scope would silently hide tools from the lint. @param {string} output */
const unseen = (output) => TOOLS.map(({ name }) => name).filter((name) => !output.includes(`"${name}"`));

/** @param {Context} context @param {typeof RUNS[number]} run @returns {Promise<Row>} */
const judgeRun = async ({ url, runTool }, { name, path, transport, era, ask }) => {
  const way = ['--transport', transport, '--protocol-era', era, '--stored-auth-only', '--format', 'json'];
  const { code, output } = await runTool(MAIN, ['--cli', `${url}${path}`, ...way, ...ask]);
  const lint = /^\d+ errors?, \d+ warnings?.*$/m.exec(output)?.[0];
  const missing = ask === LIST ? unseen(output) : [];
  const problems = [
    ...(code === 0 ? [] : [`exit code ${code}`, output.slice(-4_000)]),
    ...(missing.length === 0 ? [] : [`not listed: ${missing.join(', ')}`]),
  ];
  const [passed, failed] = problems.length === 0 ? [1, 0] : [0, 1];
  return { judge: 'inspector', scenario: name, passed, failed, problems, lint };
};

/** @param {Context} context @param {(row: Row) => void} report */
export const judgeWithInspector = async (context, report) => {
  for (const run of RUNS) report(await judgeRun(context, run));
};
