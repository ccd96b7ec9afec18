import type { Observation } from '@cairn/contracts';

export interface PlacedObservation extends Observation {
  /** The position of the op that imported it. */
  readonly position: number;
}

/** A row that is imported again with other values replaces the earlier row with its id. */
export const newestRows = <R extends PlacedObservation>(rows: readonly R[]): R[] => {
  const newest = new Map<string, R>();
  for (const row of rows) if (row.position >= (newest.get(row.id)?.position ?? 0)) newest.set(row.id, row);
  return [...newest.values()];
};
