import { parseArgs } from 'node:util';
import type { Benchmark, Line } from './benchmark.js';
import { BENCHMARKS } from './benchmarks.js';
import { filesRebuiltSince } from './build-watch.js';
import { Laboratory } from './laboratory.js';
import { currentLoad, readBaseline, tableOf, thisMachine, writeBaseline, writeResults } from './report.js';

const USAGE = `npm run bench -- [name …] [--chunks <n>] [--write-baseline] [--list]`;

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

const refuse = (message: string): never => {
  say(`${message}\n${USAGE}`);
  process.exit(2);
};

const options = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        chunks: { type: 'string' },
        'write-baseline': { type: 'boolean', default: false },
      },
    });
  } catch (thrown) {
    return refuse((thrown as Error).message);
  }
};

const chosen = (names: readonly string[]): readonly Benchmark[] => {
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) refuse(`there is no benchmark ${unknown.join(', ')}; --list names them`);
  return names.length === 0 ? BENCHMARKS : BENCHMARKS.filter(({ name }) => names.includes(name));
};

const chunksOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const chunks = Number(text);
  return Number.isInteger(chunks) && chunks > 0 ? chunks : refuse('--chunks must be a positive whole number');
};

const measure = async (benchmarks: readonly Benchmark[], chunks: number | undefined): Promise<Line[]> => {
  const laboratory = new Laboratory({ chunks, log: say });
  const lines: Line[] = [];
  try {
    for (const benchmark of benchmarks) {
      say(`${benchmark.name}: ${benchmark.about}`);
      lines.push(...(await benchmark.run(laboratory)));
    }
  } finally {
    await laboratory.close();
  }
  return lines;
};

const { values, positionals } = options();
if (values.list) {
  for (const { name, about } of BENCHMARKS) console.log(`${name.padEnd(10)} ${about}`);
} else {
  const [benchmarks, chunks] = [chosen(positionals), chunksOf(values.chunks)];
  const [startMs, before] = [Date.now(), currentLoad()];
  const lines = await measure(benchmarks, chunks);
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
  const machine = thisMachine();
  const load = { before, after: currentLoad() };
  const filesRebuilt = filesRebuiltSince(startMs);
  const report = { at: new Date().toISOString(), command, machine, load, filesRebuilt, lines };
  console.log(`\n${tableOf(lines, readBaseline())}\n`);
  console.log(
    `${machine.cores} x ${machine.cpu}, ${machine.memory}, ${machine.platform}, Node ${machine.node}; load ${load.before} before, ${load.after} after`,
  );
  console.log(`all figures: ${writeResults(report)}`);
  if (filesRebuilt > 0)
    say(`${filesRebuilt} files of the product were rebuilt meanwhile: the lines are not of one build`);
  if (values['write-baseline'] && filesRebuilt > 0) say('so the baseline stays as it was');
  else if (values['write-baseline']) writeBaseline(report);
}
