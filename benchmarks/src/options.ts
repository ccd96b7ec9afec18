import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.js';
import { BENCHMARKS } from './benchmarks.js';

/** The command line names an unknown benchmark or option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface BenchOptions {
  /** Print this and run nothing. */
  readonly shows: 'help' | 'list' | undefined;
  readonly benchmarks: readonly Benchmark[];
  readonly chunks: number | undefined;
  /** Folders of judged sets. */
  readonly datasets: readonly string[];
  /** Another checkout, whose build is measured beside this one. */
  readonly against: string | undefined;
  readonly writesBaseline: boolean;
}

export const USAGE = `npm run bench -- [name …] [--chunks <n>] [--dataset <folder> …] [--against <folder>] [--write-baseline] [--list] [--help]`;

const listLine = ({ name, about, onlyNamed }: Benchmark): string =>
  `${name.padEnd(10)} ${about}${onlyNamed ? ' (only when named)' : ''}`;

export const listText = (): string => BENCHMARKS.map(listLine).join('\n');

export const helpText = (): string => `${USAGE}

Without a name they run one after the other, except those that run only when named:

${listText().replaceAll(/^/gm, '  ')}

  --chunks <n>        fill libraries of so many chunks, instead of the workload's
  --dataset <folder>  measure quality on this judged set; may be repeated
  --against <folder>  measure stores and memory beside the build of another checkout (graph)
  --write-baseline    keep the ratios as baseline.json
  --list              only name the benchmarks
  -h, --help          this text`;

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        list: { type: 'boolean', default: false },
        chunks: { type: 'string' },
        dataset: { type: 'string', multiple: true, default: [] },
        against: { type: 'string' },
        'write-baseline': { type: 'boolean', default: false },
      },
    });
  } catch (thrown) {
    throw new UsageError((thrown as Error).message);
  }
};

const chosen = (names: readonly string[]): readonly Benchmark[] => {
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) throw new UsageError(`there is no benchmark ${unknown.join(', ')}; --list names them`);
  return BENCHMARKS.filter(({ name, onlyNamed }) => (names.length === 0 ? !onlyNamed : names.includes(name)));
};

const chunksOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const chunks = Number(text);
  if (Number.isInteger(chunks) && chunks > 0) return chunks;
  throw new UsageError('--chunks must be a positive whole number');
};

const againstOf = (folder: string | undefined): string | undefined => {
  if (folder === undefined || existsSync(join(folder, 'apps/standalone/dist/main.js'))) return folder;
  throw new UsageError(`--against must name a checkout that is built: ${folder}`);
};

export const parseOptions = (args: readonly string[]): BenchOptions => {
  const { values, positionals } = parsed(args);
  return {
    shows: values.help ? 'help' : values.list ? 'list' : undefined,
    benchmarks: chosen(positionals),
    chunks: chunksOf(values.chunks),
    datasets: values.dataset,
    against: againstOf(values.against),
    writesBaseline: values['write-baseline'],
  };
};
