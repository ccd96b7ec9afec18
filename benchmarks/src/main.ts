import { AppProcess } from '@cairn/local-servers';
import { JudgedSetError, readJudgedSet } from '@cairn/testing';
import type { Benchmark } from './benchmark.js';
import { filesRebuiltSince } from './build-watch.js';
import { Laboratory, type LaboratoryOptions } from './laboratory.js';
import { helpText, listText, parseOptions, USAGE, UsageError } from './options.js';
import { watchOthers } from './process-usage.js';
import {
  currentLoad,
  readBaseline,
  tableOf,
  thisMachine,
  writeBaseline,
  writeResults,
  type MeasuredLine,
  type Report,
} from './report.js';

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

const refuse = (message: string): never => {
  say(message);
  process.exit(2);
};

/** Sets are read before anything runs, so that a bad line is reported at once. */
const planned = () => {
  try {
    const options = parseOptions(process.argv.slice(2));
    return { ...options, datasets: options.shows ? [] : options.datasets.map(readJudgedSet) };
  } catch (thrown) {
    if (thrown instanceof UsageError) return refuse(`${thrown.message}\n${USAGE}`);
    if (thrown instanceof JudgedSetError) return refuse(thrown.message);
    throw thrown;
  }
};

/** Reports all lines after every benchmark, so that an interrupted run keeps its results. */
const measure = async (
  benchmarks: readonly Benchmark[],
  laboratory: Laboratory,
  onLines: (lines: readonly MeasuredLine[]) => void,
): Promise<void> => {
  const lines: MeasuredLine[] = [];
  try {
    for (const benchmark of benchmarks) {
      say(`${benchmark.name}: ${benchmark.about}`);
      const othersCores = watchOthers();
      const measured = await benchmark.run(laboratory);
      const disturbedBy = othersCores();
      lines.push(...measured.map((line) => ({ ...line, othersCores: disturbedBy })));
      onLines(lines);
    }
  } finally {
    await laboratory.close();
  }
};

/**
 * A benchmark may own a product or be starting one, so every product process is stopped. Failures in the benchmark that
 * follow from this are ignored. A signal to the whole terminal reaches the products too.
 */
const endOnSignal = (laboratory: Laboratory): void => {
  const end = (signal: NodeJS.Signals): void => {
    say(`ended by ${signal}; results hold what was measured until now`);
    process
      .off('SIGINT', end)
      .off('SIGTERM', end)
      .on('uncaughtException', () => undefined);
    void AppProcess.endAll('SIGTERM')
      .then(() => laboratory.close())
      .finally(() => process.exit(1));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
};

const print = ({ lines, machine, load }: Report): void => {
  const { cores, cpu, memory, platform, node } = machine;
  console.log(`\n${tableOf(lines, readBaseline())}\n`);
  console.log(
    `${cores} x ${cpu}, ${memory}, ${platform}, Node ${node}; load ${load.before} before, ${load.after} after`,
  );
};

type Sizes = Pick<LaboratoryOptions, 'chunks' | 'datasets' | 'against'>;

const main = async (benchmarks: readonly Benchmark[], sizes: Sizes, keep: boolean): Promise<void> => {
  const [startMs, before] = [Date.now(), currentLoad()];
  const at = new Date(startMs).toISOString();
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
  const laboratory = new Laboratory({ ...sizes, log: say });
  endOnSignal(laboratory);
  const reportOf = (lines: readonly MeasuredLine[]): Report => ({
    ...{ at, command, machine: thisMachine(), load: { before, after: currentLoad() } },
    ...{ filesRebuilt: filesRebuiltSince(startMs), lines },
  });
  let report = reportOf([]);
  await measure(benchmarks, laboratory, (lines) => writeResults((report = reportOf(lines))));
  print(report);
  console.log(`all figures: ${writeResults(report)}`);
  const { filesRebuilt } = report;
  if (filesRebuilt > 0)
    say(`${filesRebuilt} files of the product were rebuilt meanwhile: the lines are not of one build`);
  if (keep && filesRebuilt > 0) say('so the baseline stays as it was');
  else if (keep) writeBaseline(report);
};

const { shows, benchmarks, writesBaseline, ...sizes } = planned();
if (shows === 'help') console.log(helpText());
else if (shows === 'list') console.log(listText());
else await main(benchmarks, sizes, writesBaseline);
