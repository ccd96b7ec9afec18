import { plural } from '@cairn/contracts';
import { printReport, type CommandContext } from '../command-context.js';
import { EXIT, RefusedError } from '../exit.js';
import { accountRefused } from '../rest/account-refused.js';
import { adminClient, type GatewayOptions } from '../rest/admin-client.js';
import { RequestRefused, type RestClient } from '../rest/rest-client.js';

interface Synced {
  readonly found: number;
  readonly stored: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly failures: readonly { readonly ref: string; readonly code: string; readonly message: string }[];
  readonly left: number;
  readonly position: number;
}

type Answer = Synced & { readonly nextCursor: string | null };

const syncOnce = (client: Pick<RestClient, 'run'>, accountId: string, cursor: string): Promise<Answer> => {
  const from = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  return client.run<Answer>(`/accounts/${encodeURIComponent(accountId)}/sync${from}`).catch((thrown: unknown) => {
    throw thrown instanceof RequestRefused ? new RefusedError(accountRefused(accountId, thrown)) : thrown;
  });
};

/** What was found by earlier calls is still found: each call answers for the documents after its cursor. */
const added = (sum: Synced, { stored, unchanged, failed, failures, left, found, position }: Synced): Synced => ({
  found: sum.found - sum.left + found,
  stored: sum.stored + stored,
  unchanged: sum.unchanged + unchanged,
  failed: sum.failed + failed,
  failures: [...sum.failures, ...failures],
  left,
  position,
});

const NOTHING: Synced = { found: 0, stored: 0, unchanged: 0, failed: 0, failures: [], left: 0, position: 0 };

/** One call handles a bounded number of documents for a bounded time; its cursor starts the next one. */
export const syncAll = async (
  { err }: Pick<CommandContext, 'err'>,
  client: Pick<RestClient, 'run'>,
  accountId: string,
): Promise<Synced> => {
  let sum = NOTHING;
  for (let cursor: string | null = ''; cursor !== null;) {
    if (cursor !== '') err(`${sum.stored} stored, ${plural(sum.left, 'document')} left`);
    const { nextCursor, ...answer }: Answer = await syncOnce(client, accountId, cursor);
    sum = added(sum, answer);
    cursor = nextCursor;
  }
  return sum;
};

/** Documents that could not be read are listed; all others are stored. */
export const syncAction = async (
  context: CommandContext,
  accountId: string,
  options: GatewayOptions,
): Promise<void> => {
  const { client } = await adminClient(context, options);
  const report = await syncAll(context, client, accountId);
  const { found, stored, unchanged, failed, failures, left } = report;
  printReport(context, options.json, report, [
    `${plural(found, 'document')} found: ${stored} stored, ${unchanged} unchanged, ${failed} failed, ${left} left`,
    ...failures.map(({ ref, code, message }) => `${ref}: ${code}: ${message}`),
  ]);
  context.exit(failed === 0 && left === 0 ? EXIT.ok : EXIT.partial);
};
