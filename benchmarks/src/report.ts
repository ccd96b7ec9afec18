import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Line } from './benchmark.js';
import { gigabytes } from './format.js';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memory: string;
  readonly node: string;
  readonly platform: string;
}

/** A line with its disturbance: the mean number of cores that other processes used. */
export interface MeasuredLine extends Line {
  readonly othersCores: number;
}

export interface Report {
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  /** One-minute load of the machine before and after the run. */
  readonly load: { readonly before: number; readonly after: number };
  /** Files of the product that were recompiled during the run; above zero, the lines measure different builds. */
  readonly filesRebuilt: number;
  readonly lines: readonly MeasuredLine[];
}

export interface Baseline {
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  readonly load: Report['load'];
  readonly ratios: Readonly<Record<string, number>>;
}

const RESULTS = new URL('../results/', import.meta.url);
const BASELINE = new URL('../baseline.json', import.meta.url);

export const thisMachine = (): Machine => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  memory: gigabytes(totalmem()),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
});

export const currentLoad = (): number => Number(loadavg()[0]!.toFixed(2));

export const readBaseline = (): Baseline | undefined =>
  existsSync(BASELINE) ? (JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline) : undefined;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const writeResults = (report: Report): string => {
  mkdirSync(RESULTS, { recursive: true });
  const file = new URL(`${report.at.replace(/[:.]/g, '-')}.json`, RESULTS);
  writeFileSync(file, json(report));
  return file.pathname;
};

/** Keeps the ratios of benchmarks that did not run this time. */
export const writeBaseline = ({ at, command, machine, load, lines }: Report): void => {
  const measured = lines.flatMap(({ id, ratio }) => (ratio ? [[id, Number(ratio.value.toFixed(3))]] : []));
  const ratios = { ...readBaseline()?.ratios, ...(Object.fromEntries(measured) as Record<string, number>) };
  writeFileSync(BASELINE, json({ at, command, machine, load, ratios } satisfies Baseline));
};

const verdict = ({ aim }: Line): string => (aim ? `${aim.text}: ${aim.isMet ? 'pass' : 'MISS'}` : '');

const baselineText = ({ id, ratio }: Line, baseline: Baseline | undefined): string => {
  const before = baseline?.ratios[id];
  return ratio && before !== undefined ? `${ratio.value.toFixed(2)} (${before.toFixed(2)})` : '';
};

/** A table for terminals and Markdown. */
export const tableOf = (lines: readonly MeasuredLine[], baseline: Baseline | undefined): string => {
  const header = ['what', 'product', 'floor', 'ratio', 'aim', 'ratio now (baseline)', 'cores used by others'];
  const rows = lines.map((line) => [
    line.what,
    line.product,
    line.floor,
    line.ratio?.text ?? '',
    verdict(line),
    baselineText(line, baseline),
    line.othersCores.toFixed(1),
  ]);
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => row[i]!.length)));
  const print = (row: readonly string[]): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [print(header), print(widths.map((width) => '-'.repeat(width))), ...rows.map(print)].join('\n');
};
