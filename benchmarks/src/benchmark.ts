import type { Laboratory } from './laboratory.js';

/** One row of the table. */
export interface Line {
  /** Stable: `baseline.json` refers to it. */
  readonly id: string;
  readonly what: string;
  readonly product: string;
  readonly floor: string;
  /** Product to floor; the text states the direction. */
  readonly ratio?: { readonly value: number; readonly text: string };
  readonly aim?: { readonly text: string; readonly isMet: boolean };
  /** Everything measured, for the results file. */
  readonly figures: Readonly<Record<string, unknown>>;
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** Runs only when the command line names it, because it needs more than the product does, such as the network. */
  readonly onlyNamed?: true;
  run(laboratory: Laboratory): Promise<Line[]>;
}
