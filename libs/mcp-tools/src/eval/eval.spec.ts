import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVERY_TOOL } from '../registry.js';
import { agentInMemory, mcpAgentInMemory, type McpAgent } from './agent.harness.js';
import { evaluateInMemory, readBaseline } from './baseline.harness.js';
import { evaluate, type Evaluation } from './evaluate.harness.js';
import { fillLibrary } from './library.builder.js';
import { ASSERTIONS, smoke } from './smoke.harness.js';
import { TRAJECTORIES } from './trajectories.harness.js';

const NAMES = EVERY_TOOL.map(({ name }) => name);
const HINTED = EVERY_TOOL.filter(({ isHinted }) => isHinted).map(({ name }) => name);
const ROOT = join(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const without = <T>(table: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(table).filter(([key]) => key !== name));

describe('npm run smoke:mcp', () => {
  it('[C-85] has an assertion for every tool, and all of them pass on the in-memory adapter', async () => {
    const results = await smoke();
    expect(results.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(results.map(({ tool }) => tool).sort()).toEqual([...NAMES].sort());
  });

  it('[C-85] fails for a tool without an assertion, an assertion without a tool, and a failing assertion', async () => {
    const { stats, ...others } = ASSERTIONS;
    const results = await smoke({ ...others, no_such_tool: stats!, forget: () => Promise.reject(new Error('wrong')) });
    expect(results.filter(({ problem }) => problem !== undefined)).toEqual([
      { tool: 'no_such_tool', problem: 'there is no such tool' },
      { tool: 'forget', problem: 'wrong' },
      { tool: 'stats', problem: 'has no assertion' },
    ]);
  });
});

describe('npm run eval:agent', () => {
  let evaluation: Evaluation;
  beforeAll(async () => {
    evaluation = await evaluateInMemory();
  });

  it('[C-86] follows the trajectories of the baseline in the repository, which has an entry for every tool', () => {
    const baseline = readBaseline();
    expect(Object.keys(baseline.trajectories).sort()).toEqual([...NAMES].sort());
    expect(evaluation).toEqual(baseline);
  });

  it('[C-86] fails for a tool without a trajectory, and for a trajectory without a tool', async () => {
    const scene = async () => {
      const agent = await agentInMemory();
      return { agent, library: await fillLibrary(agent, agent) };
    };
    const evaluated = (trajectories: typeof TRAJECTORIES) => evaluate({ scene, isInMemory: true, trajectories });
    await expect(evaluated(without(TRAJECTORIES, 'recall'))).rejects.toThrow('no trajectory: recall');
    const one = TRAJECTORIES['stats']!;
    await expect(evaluated({ ...TRAJECTORIES, no_such_tool: one })).rejects.toThrow('no tool: no_such_tool');
    const stuck = { ...one, success: [...one.success, { tool: 'stats', args: () => ({ verbose: true }) }] };
    await expect(evaluated({ ...TRAJECTORIES, stats: stuck })).rejects.toThrow('does not end with an answer');
  });

  it('[C-84] gets a hint from every graph tool, and most hints lead to an answer', () => {
    const first = HINTED.map((name) => [name, evaluation.trajectories[name]?.repair[0]?.hint]);
    expect(first.filter(([, hint]) => hint === undefined)).toEqual([]);
    // If a URI is wrong, no call can be suggested.
    expect([evaluation.repaired, evaluation.hinted]).toEqual([HINTED.length - 1, HINTED.length]);
  });
});

describe('the workflows', () => {
  it('[C-87] run the agent evaluation every night, in memory and against a started product', () => {
    const nightly = read('.github/workflows/nightly.yml');
    expect(nightly).toMatch(/^on:\n {2}schedule:\n {4}- cron: '\d+ \d+ \* \* \*'$/m);
    for (const command of ['smoke:mcp', 'eval:agent', 'eval:standalone'])
      expect(nightly).toMatch(new RegExp(`^ +- run: npm run ${command}$`, 'm'));
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['smoke:mcp', 'eval:agent', 'eval:standalone']));
  });

  it('[C-87] run both commands for every change too', () => {
    expect(read('.github/workflows/ci.yml')).toMatch(/^ +- run: \.ci\/run$/m);
    expect(read('.ci/run')).toMatch(/^npm run smoke:mcp\nnpm run eval:agent$/m);
  });
});

describe('a failure of any tool', () => {
  let client: McpAgent;
  beforeAll(async () => {
    client = await mcpAgentInMemory();
    await client.tools();
  });
  afterAll(() => client.close());

  it.each(EVERY_TOOL.filter(({ surfaces }) => surfaces.includes('mcp')).map(({ name }) => name))(
    'fits the published schema, which clients check: %s',
    async (name) => {
      for (const args of [{ no_such_argument: 1 }, { query: 7, anchor: ['words'], filters: [], uri: 'x' }])
        expect(await client.call(name, args)).toMatchObject({ isError: true });
    },
  );
});
