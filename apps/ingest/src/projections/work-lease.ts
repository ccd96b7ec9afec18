import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Applied, APPLIED_SUBJECT, messageIn } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { ALWAYS_OURS, Lease, type Turn } from '@cairn/op-log';
import type { ProjectionRunner } from './projection-runner.js';

/** Decides which replica of a build runs the projectors and the background work (ADR 0129). */
export type WorkLease = Pick<Lease, 'isOurs' | 'changed' | 'holder' | 'onlyWhile' | 'isFree' | 'start' | 'stop'>;

/** For the only ingest of an installation: it does all work, and asks no one. */
export const UNSHARED: WorkLease = {
  ...ALWAYS_OURS,
  // It never changes, but a projector waits for that while its read models are not live.
  changed: (waitMs) => delay(waitMs, undefined, { ref: false }),
  holder: undefined,
  onlyWhile: () => undefined,
  isFree: () => Promise.resolve(true),
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** Each build has its own: while one is live, another one fills its read models beside (ADR 0125). */
export const leaseNameOf = (buildId: string): string => `work-${buildId}`;

/** These describe the work of one replica; in one that has lost the lease, they would stay as they were. */
const clearWorkMetrics = (metrics: Metrics): void => {
  metrics.projectionCheckpoint.reset();
  metrics.projectionLastSuccess.reset();
  metrics.forgetPending.reset();
  metrics.forgetStageAge.reset();
  metrics.reviewOpen.reset();
};

export const openLease = (
  nats: NatsConnection,
  { name, replicas }: { readonly name: string; readonly replicas: number },
  logger: Logger,
  metrics: Metrics,
): Promise<Lease> =>
  Lease.open(nats, replicas, {
    name,
    holder: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    onChange: (isOurs) => {
      metrics.leaseHeld.set(isOurs ? 1 : 0);
      if (isOurs) metrics.leaseTakeovers.inc();
      else clearWorkMetrics(metrics);
      logger.info(
        isOurs
          ? 'this replica now runs the projectors and the background work'
          : 'another replica runs the projectors and the background work',
      );
    },
  });

/** Reports what this replica has applied to those that wait for it. A lost message only delays them. */
export const reportApplied = (nats: NatsConnection) => (projection: string, position: number) => {
  if (!nats.isClosed()) nats.publish(APPLIED_SUBJECT, JSON.stringify({ projection, position } satisfies Applied));
};

/** Follows what the replica that applies to the live read models reports, of whichever build it is. */
export const followApplied = (
  nats: NatsConnection,
  turn: Pick<Turn, 'isOurs'>,
  projections: Pick<ProjectionRunner, 'observe'>,
): void => {
  nats.subscribe(APPLIED_SUBJECT, {
    callback: (error, message) => {
      const applied = error || turn.isOurs ? undefined : messageIn(Applied, message.string());
      if (applied) projections.observe(applied.projection, applied.position);
    },
  });
};
