import type { parseArgs } from 'node:util';

export type DrillOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

export interface DrillReport {
  /** Printed one per line, in this order. */
  readonly figures: Readonly<Record<string, string | number>>;
  /** The promises that were not kept; none means that the drill has passed. */
  readonly broken: readonly string[];
}

export interface Drill {
  readonly name: string;
  readonly about: string;
  /** The options of its own, as `parseArgs` of Node takes them, with their defaults. */
  readonly options: DrillOptions;
  run(values: Readonly<Record<string, unknown>>, say: (line: string) => void): Promise<DrillReport>;
}
