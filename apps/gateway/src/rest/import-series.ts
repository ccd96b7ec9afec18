import { OBSERVATIONS_PER_IMPORT_MAX, type CommandData, type CommandResult, type Observation } from '@cairn/contracts';
import type { ParsedRows } from '@cairn/connectors';
import type { RestCall } from './rest-request.js';

type Imported = CommandResult<'observations.import'>;

const partsOf = (rows: readonly Observation[]): Observation[][] => {
  const parts: Observation[][] = [];
  for (let start = 0; start < rows.length; start += OBSERVATIONS_PER_IMPORT_MAX)
    parts.push(rows.slice(start, start + OBSERVATIONS_PER_IMPORT_MAX));
  return parts;
};

/**
 * Sends several commands, one after the other. If the request is cut off and repeated, rows that are already stored
 * count as duplicates.
 */
export const importSeries = async (
  call: RestCall,
  accountId: string,
  { rows, repeats }: ParsedRows,
): Promise<Imported> => {
  let total: Imported = { rows: 0, duplicates: repeats, items: 0, position: 0 };
  for (const [i, part] of partsOf(rows).entries()) {
    const done = await call.part(`import ${i}`).command('observations.import', { accountId, rows: part });
    total = {
      rows: total.rows + done.rows,
      duplicates: total.duplicates + done.duplicates,
      items: total.items + done.items,
      position: done.position,
    };
  }
  return total;
};

/** A command forgets a bounded number of batches; it is repeated until none is left. */
export const purgeSeries = async (call: RestCall, data: CommandData<'observations.purge'>) => {
  let [rows, rollups] = [0, 0];
  for (let i = 0; ; i++) {
    const done = await call.part(`purge ${i}`).command('observations.purge', data);
    rows += done.rows;
    rollups += done.rollups;
    if (!done.more) return { rows, rollups, position: done.position };
  }
};
