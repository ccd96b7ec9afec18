import { droppingUnknown, MetricAmount, MetricName, Observation, ObservedCategory } from '@cairn/contracts';
import { z } from 'zod';
import { amountOf } from './amount.js';

const KeptTotals = z.strictObject({
  /** A decimal: the sum of many rows may have more digits than a double. */
  sum: z.string().refine((sum) => amountOf(sum) !== undefined),
  count: z.int().min(1),
  min: MetricAmount,
  max: MetricAmount,
});

/** The totals that a purge keeps for the rows of a day and a category. */
export const RollupRow = z.strictObject({
  day: z.iso.date(),
  category: ObservedCategory,
  metrics: z.record(MetricName, KeptTotals),
});
export type RollupRow = Readonly<z.infer<typeof RollupRow>>;

/** Keyed hashes of the ids of purged rows, so that another import of the file does not store them again. */
export const PurgedIds = z.strictObject({ purged: z.array(z.string().regex(/^[0-9a-f]+$/)) });
export type PurgedIds = Readonly<z.infer<typeof PurgedIds>>;

/** One JSON object per line. The order of the keys is fixed, so equal rows are equal lines. */
export const observationLine = ({ id, at, category, metrics }: Observation): string => {
  const sorted = Object.entries(metrics).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ id, at, category, metrics: Object.fromEntries(sorted) });
};

export const lineOf = (entry: RollupRow | PurgedIds): string => JSON.stringify(entry);

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/**
 * The lines of a text that fit the schema, also with fields of a newer version. A corrected text may hold other lines,
 * which are ignored.
 */
const entriesOf = <S extends z.ZodType>(schema: S, content: string): z.output<S>[] =>
  content.split('\n').flatMap((line) => {
    const result = droppingUnknown(schema).safeParse(parsed(line));
    return result.success ? [result.data] : [];
  });

export const observationsIn = (content: string): Observation[] => entriesOf(Observation, content);
export const rollupsIn = (content: string): RollupRow[] => entriesOf(RollupRow, content);
export const purgedIn = (content: string): string[] => entriesOf(PurgedIds, content).flatMap(({ purged }) => purged);
