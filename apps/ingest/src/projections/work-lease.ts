import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Applied, APPLIED_SUBJECT } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { ALWAYS_OURS, Lease } from '@cairn/op-log';
import { homeOf, layoutOf, PROJECTIONS, type Stores } from '@cairn/projections';
import type { ProjectionRunner } from './projection-runner.js';

/** Decides which replica runs the projectors and the background work (ADR 0129). */
export type WorkLease = Pick<Lease, 'isOurs' | 'changed' | 'holder' | 'onlyWhile' | 'start' | 'stop'>;

/** For the only ingest of an installation: it does all work, and asks no one. */
export const UNSHARED: WorkLease = {
  ...ALWAYS_OURS,
  holder: undefined,
  onlyWhile: () => undefined,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** A build with other layouts recreates the slots at its start, and must not wait for a replica of the other build. */
export const leaseName = (stores: Stores): string => {
  const layouts = PROJECTIONS.map(
    (projection) => `${projection.name}@${projection.version} ${layoutOf(homeOf(projection, stores).shape)}`,
  );
  return `work-${createHash('sha256').update(layouts.join('\n')).digest('hex').slice(0, 16)}`;
};

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

/** A newer replica may send what this one does not understand. */
const appliedIn = (text: string): Applied | undefined => {
  try {
    return Applied.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** Reports what this replica has applied to those that wait for it. A lost message only delays them. */
export const reportApplied = (nats: NatsConnection, lease: string) => (projection: string, position: number) => {
  if (!nats.isClosed())
    nats.publish(APPLIED_SUBJECT, JSON.stringify({ lease, projection, position } satisfies Applied));
};

/** Follows what the replica with the lease has applied. */
export const followApplied = (
  nats: NatsConnection,
  name: string,
  lease: Pick<WorkLease, 'isOurs'>,
  projections: Pick<ProjectionRunner, 'observe'>,
): void => {
  nats.subscribe(APPLIED_SUBJECT, {
    callback: (error, message) => {
      const applied = error || lease.isOurs ? undefined : appliedIn(message.string());
      if (applied?.lease === name) projections.observe(applied.projection, applied.position);
    },
  });
};
