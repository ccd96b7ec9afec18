import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRIC_NAMES } from './metric-names.js';

/** From half a millisecond, which an answer from memory takes, to the ten seconds after which a query times out. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * All metrics of one process. Created once and passed to the services: in the standalone profile four of them share it,
 * and a name can be registered only once per registry. Labels are bounded enums, never an id or a workspace.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly mcpOperationSeconds = this.histogram(METRIC_NAMES.mcpOperationSeconds, 'Handling of one MCP message', [
    'method',
    'tool',
    'era',
    'outcome',
  ]);
  readonly rateLimited = this.counter(METRIC_NAMES.rateLimited, 'Calls refused because their hour is used up', [
    'bucket',
  ]);
  readonly rateCounterUnavailable = this.counter(
    METRIC_NAMES.rateCounterUnavailable,
    'Calls that this process counted alone, because the counter for all replicas did not answer',
  );
  readonly authRefused = this.counter(
    METRIC_NAMES.authRefused,
    'Requests refused without a look at their token, because too many from their address had failed',
  );
  readonly scopeViolations = this.counter(
    METRIC_NAMES.scopeViolations,
    'Things that the gateway dropped from an answer because its reader may not see them; anything but 0 is a defect',
    ['type'],
  );
  readonly commandSeconds = this.histogram(METRIC_NAMES.commandSeconds, 'Handling of one command', ['type', 'outcome']);
  readonly querySeconds = this.histogram(METRIC_NAMES.querySeconds, 'Handling of one query', ['type', 'outcome']);
  readonly graphWalkSeconds = this.histogram(METRIC_NAMES.graphWalkSeconds, 'One question about the graph', ['query']);
  readonly searchStageSeconds = this.histogram(METRIC_NAMES.searchStageSeconds, 'One stage of a search', ['stage']);
  readonly residentVectors = this.gauge(METRIC_NAMES.residentVectors, 'Vectors that search holds in memory');
  readonly residentBytes = this.gauge(METRIC_NAMES.residentBytes, 'Memory of the vectors that search holds');
  readonly searchDegraded = this.counter(METRIC_NAMES.searchDegraded, 'Searches answered without one of their legs');
  readonly oplogAppendSeconds = this.histogram(METRIC_NAMES.oplogAppendSeconds, 'One append to the op-log');
  readonly oplogAppends = this.counter(METRIC_NAMES.oplogAppends, 'Appends to the op-log by result', ['result']);
  readonly projectionCheckpoint = this.gauge(METRIC_NAMES.projectionCheckpoint, 'Position a projection has reached', [
    'projection',
  ]);
  readonly projectionLastSuccess = this.gauge(METRIC_NAMES.projectionLastSuccess, 'When a projection last succeeded', [
    'projection',
  ]);
  readonly forgetPending = this.gauge(METRIC_NAMES.forgetPending, 'Forgettings that have not reached a stage yet', [
    'stage',
  ]);
  readonly forgetStageAge = this.gauge(
    METRIC_NAMES.forgetStageAge,
    'Age of the oldest forgetting that has not reached a stage yet',
    ['stage'],
  );
  readonly keysRewrapped = this.counter(
    METRIC_NAMES.keysRewrapped,
    'Keys found under a previous KEK and wrapped again',
    ['store'],
  );
  readonly keysRotationPending = this.gauge(
    METRIC_NAMES.keysRotationPending,
    '1 while a previous KEK is given and may still be needed, else 0',
  );
  readonly meshHydrations = this.counter(
    METRIC_NAMES.meshHydrations,
    'Texts asked for by their mesh URI, by what became of it',
    ['outcome'],
  );
  readonly externalCalls = this.counter(METRIC_NAMES.externalCalls, 'Calls of tools of external MCP servers', [
    'outcome',
  ]);
  readonly externalServers = this.gauge(
    METRIC_NAMES.externalServers,
    'External MCP servers that this process knows, by what its last discovery has found',
    ['state'],
  );
  readonly embeddingBacklogOps = this.gauge(METRIC_NAMES.embeddingBacklogOps, 'Ops whose texts wait for their vectors');
  readonly reembeddingBacklogOps = this.gauge(
    METRIC_NAMES.reembeddingBacklogOps,
    'Ops whose texts wait for the vectors that will replace the present ones',
  );
  readonly embeddingSeconds = this.histogram(METRIC_NAMES.embeddingSeconds, 'Embedding of one text');
  readonly graphExtractSeconds = this.histogram(
    METRIC_NAMES.graphExtractSeconds,
    'Reading the names and relations of a batch of up to 32 chunks',
  );
  readonly reviewOpen = this.gauge(
    METRIC_NAMES.reviewOpen,
    'Ambiguous edges of all workspaces that wait for a verdict, counted up to 10,000',
  );
  readonly embeddingFailures = this.counter(METRIC_NAMES.embeddingFailures, 'Texts that could not be embedded');

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  private histogram<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers: [this.registry] });
  }

  private counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}

export const createMetrics = (): Metrics => new Metrics();
