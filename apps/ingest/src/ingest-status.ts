import type { IngestView, Readiness } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { ProjectionRunner } from './projections/projection-runner.js';
import type { RotationWorker } from './rotation/rotation-worker.js';

/** What ingest reports about itself. */
export class IngestStatus {
  constructor(
    private readonly nats: NatsConnection,
    private readonly projections: Pick<ProjectionRunner, 'isCaughtUp'>,
    private readonly rotation: Pick<RotationWorker, 'view'>,
    private readonly brokerProblem: () => string | undefined,
  ) {}

  check(): Readiness {
    if (this.brokerProblem() !== undefined) return { ready: false, notes: ['the broker does not accept writes'] };
    return { ready: !this.nats.isClosed() && this.projections.isCaughtUp, notes: [] };
  }

  view(): IngestView {
    const brokerProblem = this.brokerProblem();
    return { keys: this.rotation.view(), ...(brokerProblem !== undefined && { brokerProblem }) };
  }
}
