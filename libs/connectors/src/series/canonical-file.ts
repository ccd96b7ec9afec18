import type { Observation } from '@cairn/contracts';
import type { SubstrateTable } from '@cairn/graph';

/** A part of a parsed file: JSON under the column names of the table, which every connector of rows accepts. */
export const canonicalFile = ({ key, at, category }: SubstrateTable, rows: readonly Observation[]): string =>
  JSON.stringify(
    rows.map((row) => ({
      [key.name]: row.id,
      [at.name]: row.at,
      [category.name]: row.category,
      ...row.metrics,
    })),
  );
