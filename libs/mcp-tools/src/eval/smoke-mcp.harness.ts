// `npm run smoke:mcp`: calls every tool once, on the in-memory Cairn. The exit code is 1 if a tool has no assertion, an
// assertion has no tool, or an assertion fails.
import { smoke } from './smoke.harness.js';

const results = await smoke();
for (const { tool, problem } of results)
  console.log(problem === undefined ? `ok    ${tool}` : `FAIL  ${tool}: ${problem}`);
const failed = results.filter(({ problem }) => problem !== undefined);
console.log(`${results.length - failed.length} of ${results.length} tools answer as they should`);
process.exitCode = failed.length === 0 ? 0 : 1;
