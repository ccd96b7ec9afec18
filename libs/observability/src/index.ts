/**
 * A process's reports about itself: log lines, metrics, health. One logger and one `Metrics` per process, created in
 * `main.ts` and passed down. Never reports content: no stored text, vector, query, id or secret in a line or a label.
 */
export { logEnv, logFormat, LOG_LEVELS, type LogFormat, type LogLevel } from './log-env.js';
export { createLogger, LOGGER, type Logger, type LoggerOptions } from './logger.js';
export { METRIC_NAMES } from './metric-names.js';
export { createMetrics, Metrics } from './metrics.js';
export { nestLogger } from './nest-logger.js';
export { opsEnv } from './ops-env.js';
export {
  healthReply,
  metricsReply,
  readyReply,
  SAFE_HEADERS,
  startOpsServer,
  STARTING,
  type OpsReply,
  type OpsServer,
  type OpsServerOptions,
  type ReadinessCheck,
} from './ops-server.js';
export { runProcess, type RunningProcess } from './run-process.js';
