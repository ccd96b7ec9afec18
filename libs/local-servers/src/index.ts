/**
 * Starts and supervises the servers that Cairn needs as child processes on this machine: nats-server, PGlite, native
 * Postgres, OpenSearch; and a whole cluster of Cairn's services on them, for development and tests. A crashed child is
 * restarted on the same port, and no child outlives its parent. Knows nothing about the stored data (no schema, no
 * stream) and does not lock data directories: the caller holds one lock for all of them, since an orphan found on the
 * same data is killed.
 */
export { answersOk, AppProcess } from './app-process.js';
export { freePort } from './free-port.js';
export { startCluster, type Cluster, type ClusterOptions } from './local-cluster.js';
export { createPostgresRoles, type PostgresLogins } from './postgres-roles.js';
export { startNativePostgres, type NativePostgres, type NativePostgresOptions } from './native-postgres.js';
export { findNatsBinary } from './nats-binary.js';
export {
  startNatsServer,
  type BrokerPasswords,
  type NatsClusterNode,
  type NatsServerOptions,
  type SupervisedNats,
} from './nats-server.js';
export { startOpenSearch, type OpenSearchOptions } from './opensearch.js';
export { startPglite, wipePglite, type PgliteOptions } from './pglite-server.js';
export { identify, type ProcessIdentity } from './process-identity.js';
export { ServiceProcess, type ServiceName } from './service-process.js';
export {
  supervise,
  type Backoff,
  type LocalServer,
  type SupervisedServer,
  type Supervision,
  type SupervisorOptions,
} from './supervise.js';
export type { ChildExit, LaunchCommand, LaunchedChild } from './child-launch.js';
