/** Entry point of the thread that holds the vectors: does one job at a time, until it is terminated. */
import { parentPort } from 'node:worker_threads';
import type { ResidentJob } from './resident-protocol.js';
import { VectorStore } from './vector-store.js';

const store = new VectorStore();

parentPort!.on('message', (job: ResidentJob) => {
  parentPort!.postMessage(store.do(job));
});
