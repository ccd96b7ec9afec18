import { systemClock } from '@cairn/kernel';
import { createLogger, createMetrics } from '@cairn/observability';
import { ALWAYS_OURS } from '@cairn/op-log';
import { ERASURE_STEPS, findForgettings, findLeftovers, followersReached } from '@cairn/projections';
import type { IngestUnderTest } from '../ingest-under-test.harness.js';
import { ErasureWorker, type ErasureWorkerOptions } from './erasure-worker.js';

/** No round completes a forgetting until the followers have passed it. */
export const untilFollowersReach = async ({ stores }: Pick<IngestUnderTest, 'stores'>): Promise<void> => {
  const head = await stores.log.head();
  while ((await followersReached(stores)) < head);
};

/** The worker that the service would run, one round at a time. */
export const workerOf = async (
  ingest: IngestUnderTest,
  more: Partial<ErasureWorkerOptions> = {},
): Promise<ErasureWorker> => {
  await untilFollowersReach(ingest);
  return new ErasureWorker({
    ...ingest.stores,
    secrets: await ingest.vault.secrets(),
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'fatal', format: 'json' }),
    metrics: createMetrics(),
    isBusy: () => false,
    turn: ALWAYS_OURS,
    record: () => Promise.resolve(),
    issue: (receipt) => ingest.replicas[0]!.writer.issueReceipt(receipt),
    ...more,
  });
};

export const purgeWith = async (ingest: IngestUnderTest, more: Partial<ErasureWorkerOptions> = {}): Promise<void> => {
  const worker = await workerOf(ingest, more);
  worker.purgeSoon();
  await worker.round();
};

/** The remains of a forgetting, by store. */
export const leftOf = async (ingest: IngestUnderTest, receiptId: string): Promise<Record<string, number>> => {
  const [forgetting] = await findForgettings(ingest.pool, receiptId);
  const findings = await findLeftovers(ingest.stores, forgetting!);
  return Object.fromEntries(findings.map(({ store, left }) => [store, left]));
};

export const NOTHING_LEFT = Object.fromEntries(ERASURE_STEPS.map(({ store }) => [store, 0]));
