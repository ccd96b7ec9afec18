// MCP Inspector on the command line: what a client in daily use sees, with its lint of tool schemas switched to strict.
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

const judgeRun = async ({ url, runTool }, { name, path, transport, era, ask }) => {
  const way = ['--transport', transport, '--protocol-era', era, '--stored-auth-only', '--format', 'json'];
  const { code, output } = await runTool(MAIN, ['--cli', `${url}${path}`, ...way, ...ask]);
  const lint = /^\d+ errors?, \d+ warnings?.*$/m.exec(output)?.[0];
  const problems = code === 0 ? [] : [`exit code ${code}`, output.slice(-4_000)];
  return { judge: 'inspector', scenario: name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, problems, lint };
};

export const judgeWithInspector = async (context, report) => {
  for (const run of RUNS) report(await judgeRun(context, run));
};
