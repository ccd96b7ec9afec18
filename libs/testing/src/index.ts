/** Test support for several projects: backing services and builders. Product code must not import it. */
export { testCacheDir } from './cache-dir.js';
export { ConfiguredNats } from './configured-nats.js';
export { testCertificate, type TestCertificate } from './test-certificate.js';
export { TestNats } from './test-nats.js';
export { TestNatsCluster, type ClusterNode } from './test-nats-cluster.js';
export { TestPglite } from './test-pglite.js';
export { StandaloneProcess, type RunInfo, type StandaloneOptions } from './standalone-process.js';
export { JudgedSetError, OWN_JUDGED_SET, readJudgedSet, type JudgedSet } from './judged-set.js';
export { MixedCalls } from './mixed-calls.js';
export { appendsOf, holdsLease, metricOf, type Appends } from './service-metrics.js';
export { ReadyGateways } from './ready-gateways.js';
export { rollingRestart, rollOut, type Restart } from './rolling-restart.js';
export { untilSettled, type Settled } from './until-settled.js';
export { writeNextRelease } from './next-release.js';
export { SteadyLoad, type LoadReport, type SteadyLoadOptions } from './steady-load.js';
export { bytesOf, docxOf, docxOfBody, pdfOf, type DocxParagraph } from './sample-files.js';
export { startRoundRobinProxy, type RoundRobinProxy } from './round-robin-proxy.js';
export { ndcgAt, recallAt, type Judgements } from './relevance.js';
