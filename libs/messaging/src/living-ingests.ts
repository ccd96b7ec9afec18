import { INGEST_ALIVE_SUBJECT, IngestAlive } from '@cairn/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { ownerAmong } from './rendezvous.js';

const ALIVE_EVERY_MS = 1_000;
/** A replica that was silent for so long hangs or is gone. Until then, one message may be lost. */
const SILENT_MS_MAX = 3_500;

/**
 * The replicas of ingest that take commands, as a gateway knows them. Commands of one workspace go to one of them, so
 * they meet in one group commit instead of in a conflict (ADR 0130). What a gateway knows may be out of date: a command
 * is then decided by another replica, which costs time and nothing else.
 */
export class LivingIngests {
  private readonly seenMs = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  receive({ replicaId, isLeaving }: IngestAlive): void {
    if (isLeaving) this.drop(replicaId);
    else this.seenMs.set(replicaId, this.nowMs());
  }

  /** It does not take commands any more. */
  drop(replicaId: string): void {
    this.seenMs.delete(replicaId);
  }

  /** The replica that the commands of a lane go to; undefined if none is known. */
  ownerOf(lane: string): string | undefined {
    const oldest = this.nowMs() - SILENT_MS_MAX;
    for (const [replicaId, seenMs] of this.seenMs) if (seenMs < oldest) this.drop(replicaId);
    return ownerAmong(this.seenMs.keys(), lane);
  }
}

/** A newer ingest may send what this process does not understand. */
const aliveIn = (text: string): IngestAlive | undefined => {
  try {
    return IngestAlive.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

export const watchIngests = (nats: NatsConnection): LivingIngests => {
  const living = new LivingIngests();
  nats.subscribe(INGEST_ALIVE_SUBJECT, {
    callback: (error, message) => {
      const alive = error ? undefined : aliveIn(message.string());
      if (alive) living.receive(alive);
    },
  });
  return living;
};

/** Announces a replica that takes commands, until the returned function is called. */
export const announceIngest = (nats: NatsConnection, replicaId: string): (() => void) => {
  const announce = (isLeaving: boolean): void => {
    if (!nats.isClosed()) nats.publish(INGEST_ALIVE_SUBJECT, JSON.stringify({ replicaId, isLeaving }));
  };
  announce(false);
  const timer = setInterval(() => announce(false), ALIVE_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    announce(true);
  };
};
