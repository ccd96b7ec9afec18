/** Entry point of the extraction thread: processes one batch at a time, until it is terminated. */
import { parentPort } from 'node:worker_threads';
import { extractFindings } from './extract-findings.js';
import { type ExtractorAnswer, type ExtractorJob } from './extractor-protocol.js';

parentPort!.on('message', ({ chunks }: ExtractorJob) => {
  const answer: ExtractorAnswer = { findings: chunks.map(extractFindings) };
  parentPort!.postMessage(answer);
});
