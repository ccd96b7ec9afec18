import { setTimeout as delay } from 'node:timers/promises';
import { isNewerEvent, type IngestView, type Readiness } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { ProjectionRunner } from './projections/projection-runner.js';
import type { WorkLease } from './projections/work-lease.js';
import type { RotationWorker } from './rotation/rotation-worker.js';

/** Shorter than the time that a probe waits for the answer. */
const DATABASE_PROBE_MS = 800;

export interface IngestStatusOptions {
  readonly nats: Pick<NatsConnection, 'isClosed'>;
  readonly projections: Pick<ProjectionRunner, 'isCaughtUp' | 'failure' | 'held'>;
  readonly rotation: Pick<RotationWorker, 'view'>;
  /** Resolves when the database has answered. */
  readonly probeDatabase: () => Promise<unknown>;
  readonly brokerProblem: () => string | undefined;
  readonly readModelsProblem: () => string | undefined;
  readonly streamProblems: () => string[];
  readonly lease: Pick<WorkLease, 'holder'>;
}

/** What ingest reports about itself. */
export class IngestStatus {
  constructor(private readonly options: IngestStatusOptions) {}

  /** Ready when a command would be carried out now. */
  async check(): Promise<Readiness> {
    const problem = this.ownProblem() ?? (await this.databaseProblem());
    return { ready: problem === undefined, notes: problem === undefined ? [] : [problem] };
  }

  view(): IngestView {
    const [brokerProblem, streamProblems] = [this.options.brokerProblem(), this.options.streamProblems()];
    const { held } = this.options.projections;
    const worker = this.options.lease.holder;
    return {
      keys: this.options.rotation.view(),
      ...(brokerProblem !== undefined && { brokerProblem }),
      ...(streamProblems.length > 0 && { streamProblems }),
      ...(held !== undefined && { held }),
      ...(worker !== undefined && { worker }),
    };
  }

  private ownProblem(): string | undefined {
    const { nats, projections, brokerProblem, readModelsProblem } = this.options;
    if (brokerProblem() !== undefined) return 'the broker does not accept writes';
    if (nats.isClosed()) return 'the broker is unavailable';
    if (!projections.isCaughtUp) return 'ingest is catching up with the op-log';
    if (!projections.failure) return readModelsProblem();
    return isNewerEvent(projections.failure)
      ? `the library projection waits: ${projections.failure.message}`
      : 'the library projection is stalled';
  }

  private async databaseProblem(): Promise<string | undefined> {
    const answered = this.options.probeDatabase().then(
      () => true,
      () => false,
    );
    const isReachable = await Promise.race([answered, delay(DATABASE_PROBE_MS, false, { ref: false })]);
    return isReachable ? undefined : 'Postgres is unavailable';
  }
}
