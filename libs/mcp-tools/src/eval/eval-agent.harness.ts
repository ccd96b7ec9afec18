// `npm run eval:agent`: scripted trajectories through every tool, compared with the baseline in the repository. No model.
// `-- --update` writes the baseline. `-- --url <gateway> --token <admin token>` runs the same scripts against a product, and
// compares which calls are answered and which hints they get. Exit code 2: a difference; 1: a script that fails.
import { deepStrictEqual } from 'node:assert';
import { parseArgs } from 'node:util';
import { evaluateInMemory, readBaseline, writeBaseline } from './baseline.harness.js';
import { evaluate, outcomesOf, type Evaluation } from './evaluate.harness.js';
import { fillLibrary } from './library.builder.js';
import { productAgent, type Product } from './product-agent.harness.js';

const evaluateProduct = async (product: Product): Promise<Evaluation> => {
  const agent = await productAgent(product);
  try {
    const scene = { agent, library: await fillLibrary(agent, agent) };
    return await evaluate({ scene: () => Promise.resolve(scene), isInMemory: false });
  } finally {
    await agent.close();
  }
};

const report = ({ hinted, repaired, trajectories }: Evaluation): void =>
  console.log(`${Object.keys(trajectories).length} tools; ${repaired} of ${hinted} hints led to an answer`);

/** Prints the differences. */
const isSame = (actual: unknown, baseline: unknown): boolean => {
  try {
    deepStrictEqual(actual, baseline);
    return true;
  } catch (difference) {
    console.error((difference as Error).message);
    console.error('The trajectories differ from the baseline. If this is intended: npm run eval:agent -- --update');
    return false;
  }
};

const compareInMemory = async (): Promise<boolean> => {
  const evaluation = await evaluateInMemory();
  report(evaluation);
  return isSame(evaluation, readBaseline());
};

/** Scores and texts depend on the model and on the other stored texts; which calls are answered does not. */
const compareProduct = async (product: Product): Promise<boolean> => {
  const evaluation = await evaluateProduct(product);
  report(evaluation);
  const names = Object.keys(evaluation.trajectories);
  return isSame(outcomesOf(evaluation, names), outcomesOf(readBaseline(), names));
};

const options = { update: { type: 'boolean' }, url: { type: 'string' }, token: { type: 'string' } } as const;
const { update, url, token } = parseArgs({ options }).values;
if ((url === undefined) !== (token === undefined)) throw new Error('--url and --token belong together');
if (update) writeBaseline(await evaluateInMemory());
const isUnchanged = url !== undefined && token !== undefined ? compareProduct({ url, token }) : compareInMemory();
process.exitCode = (await isUnchanged) ? 0 : 2;
