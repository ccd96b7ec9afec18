import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRIC_HELP, METRIC_NAMES } from './metric-names.js';

type Metric = keyof typeof METRIC_NAMES;

/** From half a millisecond, which an answer from memory takes, to the ten seconds after which a query times out. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * All metrics of one process. Created once and passed to the services: in the standalone profile four of them share it,
 * and a name can be registered only once per registry. Labels are bounded enums, never an id or a workspace.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly mcpOperationSeconds = this.histogram('mcpOperationSeconds', ['method', 'tool', 'era', 'outcome']);
  readonly rateLimited = this.counter('rateLimited', ['bucket']);
  readonly rateCounterUnavailable = this.counter('rateCounterUnavailable');
  readonly authRefused = this.counter('authRefused');
  readonly scopeViolations = this.counter('scopeViolations', ['type']);
  readonly commandSeconds = this.histogram('commandSeconds', ['type', 'outcome']);
  readonly querySeconds = this.histogram('querySeconds', ['type', 'outcome']);
  readonly graphWalkSeconds = this.histogram('graphWalkSeconds', ['query']);
  readonly searchStageSeconds = this.histogram('searchStageSeconds', ['stage']);
  readonly residentVectors = this.gauge('residentVectors');
  readonly residentBytes = this.gauge('residentBytes');
  readonly oversizedWorkspaces = this.gauge('oversizedWorkspaces');
  readonly searchDegraded = this.counter('searchDegraded');
  readonly oplogAppendSeconds = this.histogram('oplogAppendSeconds');
  readonly oplogAppends = this.counter('oplogAppends', ['result']);
  readonly projectionCheckpoint = this.gauge('projectionCheckpoint', ['projection']);
  readonly projectionLastSuccess = this.gauge('projectionLastSuccess', ['projection']);
  readonly projectionHeld = this.gauge('projectionHeld', ['projection']);
  readonly storeIntact = this.gauge('storeIntact', ['store']);
  readonly streamsUnderReplicated = this.gauge('streamsUnderReplicated');
  readonly leaseHeld = this.gauge('leaseHeld');
  readonly leaseTakeovers = this.counter('leaseTakeovers');
  readonly forgetPending = this.gauge('forgetPending', ['stage']);
  readonly forgetStageAge = this.gauge('forgetStageAge', ['stage']);
  readonly keysRewrapped = this.counter('keysRewrapped', ['store']);
  readonly keysRotationPending = this.gauge('keysRotationPending');
  readonly meshHydrations = this.counter('meshHydrations', ['outcome']);
  readonly externalCalls = this.counter('externalCalls', ['outcome']);
  readonly externalServers = this.gauge('externalServers', ['state']);
  readonly embeddingBacklogOps = this.gauge('embeddingBacklogOps');
  readonly reembeddingBacklogOps = this.gauge('reembeddingBacklogOps');
  readonly embeddingSeconds = this.histogram('embeddingSeconds');
  readonly embeddingFailures = this.counter('embeddingFailures');
  readonly embeddingHeld = this.counter('embeddingHeld');
  readonly graphExtractSeconds = this.histogram('graphExtractSeconds');
  readonly reviewOpen = this.gauge('reviewOpen');

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  private histogram<L extends string = never>(metric: Metric, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({ ...this.described(metric), labelNames, buckets: DURATION_BUCKETS });
  }

  private counter<L extends string = never>(metric: Metric, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ ...this.described(metric), labelNames });
  }

  private gauge<L extends string = never>(metric: Metric, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ ...this.described(metric), labelNames });
  }

  private described(metric: Metric) {
    return { name: METRIC_NAMES[metric], help: METRIC_HELP[metric], registers: [this.registry] };
  }
}

export const createMetrics = (): Metrics => new Metrics();
