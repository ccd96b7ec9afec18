import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { canonicalFile, readSeriesFile } from '@cairn/connectors';
import {
  asAppError,
  OBSERVATIONS_PER_IMPORT_MAX,
  plural,
  type CommandResult,
  type Observation,
} from '@cairn/contracts';
import { substrateOf, type SubstrateTable } from '@cairn/graph';
import { printReport, type CommandContext } from '../command-context.js';
import { RefusedError, UsageError } from '../exit.js';
import { accountRefused } from '../rest/account-refused.js';
import { adminClient, type GatewayOptions } from '../rest/admin-client.js';
import { RequestRefused, type RestClient } from '../rest/rest-client.js';

type Imported = CommandResult<'observations.import'>;

const tableOf = async (client: RestClient, accountId: string): Promise<SubstrateTable> => {
  const { connectorId } = await client
    .get<{ readonly connectorId: string }>(`/accounts/${encodeURIComponent(accountId)}`)
    .catch((thrown: unknown) => {
      throw thrown instanceof RequestRefused ? new UsageError(accountRefused(accountId, thrown)) : thrown;
    });
  const table = substrateOf(connectorId);
  if (table) return table;
  throw new UsageError(`the account is of the connector ${connectorId}, which reads no files of rows`);
};

/** The file is read completely before anything is sent, so a faulty file changes nothing. */
const rowsOf = async (file: string, table: SubstrateTable) => {
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`${file} is not a file that can be read`);
  });
  try {
    return await readSeriesFile({ name: basename(file), bytes }, table);
  } catch (thrown) {
    throw new RefusedError(`${file}: ${asAppError(thrown).message}`);
  }
};

/**
 * Each part of each run has its own key: a request that is repeated because its answer was lost is not executed twice.
 * If the key were derived from the rows, a later run would receive the result of the first one, even if a row had
 * another value in between.
 */
const sendPart = (
  client: RestClient,
  accountId: string,
  table: SubstrateTable,
  rows: readonly Observation[],
): Promise<Imported> => {
  const form = new FormData();
  form.append('file', new Blob([canonicalFile(table, rows)]), 'part.json');
  return client.post<Imported>(`/accounts/${accountId}/import`, form, randomUUID());
};

/** Sends the rows in parts and reports each part. Rows that an earlier run has sent are counted as duplicates. */
export const importSeriesAction = async (
  context: CommandContext,
  accountId: string,
  file: string,
  options: GatewayOptions,
): Promise<void> => {
  const { client } = await adminClient(context, options);
  const table = await tableOf(client, accountId);
  const { rows, repeats } = await rowsOf(file, table);
  let total: Imported = { rows: 0, duplicates: repeats, items: 0, position: 0 };
  for (let sent = 0; sent < rows.length; sent += OBSERVATIONS_PER_IMPORT_MAX) {
    const part = rows.slice(sent, sent + OBSERVATIONS_PER_IMPORT_MAX);
    const done = await sendPart(client, accountId, table, part);
    total = {
      rows: total.rows + done.rows,
      duplicates: total.duplicates + done.duplicates,
      items: total.items + done.items,
      position: done.position,
    };
    context.err(`${sent + part.length} of ${plural(rows.length, 'row')} sent`);
  }
  printReport(context, options.json, total, [
    `${plural(total.rows, 'row')} imported into ${table.name}, ${plural(total.duplicates, 'duplicate')}`,
  ]);
};
