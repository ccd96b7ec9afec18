/** Test support for several projects: backing services and builders. Product code must not import it. */
export { testCacheDir } from './cache-dir.js';
export { TestNats } from './test-nats.js';
export { TestNatsCluster, type ClusterNode } from './test-nats-cluster.js';
export { TestPglite } from './test-pglite.js';
export { StandaloneProcess, type RunInfo, type StandaloneOptions } from './standalone-process.js';
export { JudgedSetError, OWN_JUDGED_SET, readJudgedSet, type JudgedSet } from './judged-set.js';
export { bytesOf, docxOf, docxOfBody, pdfOf, type DocxParagraph } from './sample-files.js';
export { ndcgAt, recallAt, type Judgements } from './relevance.js';
