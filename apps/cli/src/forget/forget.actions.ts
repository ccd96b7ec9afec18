import { setTimeout as delay } from 'node:timers/promises';
import { plural, PURGE_WANTED_SUBJECT, Uuid } from '@cairn/contracts';
import { printReport, type CommandContext } from '../command-context.js';
import { withEngines, type Engines } from '../connection.js';
import { EXIT, RefusedError, UsageError } from '../exit.js';
import { verifyForgotten, type ForgottenReport } from './verify-forgotten.js';

const POLL_MS = 200;
const PURGE_WAIT_MS = 60 * 60_000;

const RECEIPT_WORDS = {
  valid: 'signed by this installation',
  pending: 'not issued yet, the purge is still to come',
  forged: 'NOT signed by this installation',
} as const;

const isForged = ({ forgettings }: ForgottenReport): boolean => forgettings.some(({ receipt }) => receipt === 'forged');

const verdict = (report: ForgottenReport): string => {
  if (report.forgettings.length === 0) return `nothing with the id ${report.id} was forgotten`;
  if (report.left > 0) return `${report.left} left`;
  if (isForged(report)) return 'nothing is left, but a receipt is not ours';
  const isPurged = report.forgettings.every(({ receipt }) => receipt === 'valid');
  return isPurged
    ? 'verified: nothing is left'
    : 'nothing is left that could be read; the last bytes go with the purge';
};

const lines = (report: ForgottenReport): string[] => [
  ...report.forgettings.flatMap(({ receiptId, itemId, sourceRemoved, position, receipt, stores }) => [
    `${sourceRemoved ? 'item' : 'a chunk of item'} ${itemId}, forgotten at position ${position}`,
    `  receipt ${receiptId}: ${RECEIPT_WORDS[receipt]}`,
    ...stores.map(({ store, left: there }) => `  ${store}: ${there === 0 ? 'nothing left' : `${there} left`}`),
  ]),
  verdict(report),
];

const pendingOf = async ({ pool }: Engines): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from library.forgets where receipt is null',
  );
  return rows[0]!.n;
};

/**
 * The request is repeated, because an ingest that is still starting may have missed it. The command does not wait for
 * the broker, which may never return at this address, and it ends when the database is unavailable.
 */
const purge = async (engines: Engines, onProgress: (pending: number) => void): Promise<number> => {
  const before = await pendingOf(engines);
  const until = performance.now() + PURGE_WAIT_MS;
  for (let pending = before; pending > 0; pending = await pendingOf(engines)) {
    if (performance.now() > until)
      throw new RefusedError(`not purged yet: ${plural(pending, 'forgetting')}; look at the log of ingest`);
    onProgress(pending);
    engines.nats.publish(PURGE_WANTED_SUBJECT);
    await delay(POLL_MS);
  }
  return before;
};

export const verifyAction = (
  context: CommandContext,
  { id, json }: { readonly id: string; readonly json?: boolean },
): Promise<void> => {
  if (!Uuid.safeParse(id).success) throw new UsageError('--id must be a UUID');
  return withEngines(context, async (engines) => {
    const report = await verifyForgotten(engines, id);
    printReport(context, json, report, lines(report));
    const isFine = report.forgettings.length > 0 && report.left === 0 && !isForged(report);
    return isFine ? EXIT.ok : EXIT.differences;
  });
};

export const purgeAction = (context: CommandContext, { json }: { readonly json?: boolean }): Promise<void> =>
  withEngines(context, async (engines) => {
    const purged = await purge(engines, (pending) => context.err(`${pending} to purge`));
    printReport(context, json, { purged }, [purged === 0 ? 'there was nothing to purge' : `purged: ${purged}`]);
    return EXIT.ok;
  });
