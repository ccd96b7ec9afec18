import { parseArgs } from 'node:util';
import type { Drill } from './drill.js';

/** The command line names no drill, an unknown one, or an unknown option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = 'npm run drill -- <name> [options] | --list';

const optionsText = ({ options }: Drill): string =>
  Object.entries(options)
    .map(([name, { default: value }]) => ` [--${name} ${String(value)}]`)
    .join('');

export const listText = (drills: readonly Drill[]): string =>
  drills.map((drill) => `${drill.name}${optionsText(drill)}\n    ${drill.about}`).join('\n');

export type Command =
  { readonly shows: 'list' } | { readonly drill: Drill; readonly values: Readonly<Record<string, unknown>> };

export const parseCommand = (args: readonly string[], drills: readonly Drill[]): Command => {
  const [name, ...rest] = args;
  if (name === '--list') return { shows: 'list' };
  const drill = drills.find((candidate) => candidate.name === name);
  if (!drill)
    throw new UsageError(name === undefined ? 'name a drill' : `there is no drill ${name}; --list names them`);
  try {
    return { drill, values: parseArgs({ args: rest, options: drill.options }).values };
  } catch (thrown) {
    throw new UsageError((thrown as Error).message);
  }
};

/** The value of an option that takes a positive number. */
export const positive = (values: Readonly<Record<string, unknown>>, name: string): number => {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`--${name} must be a positive number`);
};
