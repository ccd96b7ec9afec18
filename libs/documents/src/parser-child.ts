/** Entry point of a parser process. Reads one file at a time until its parent ends or it exceeds memory or time. */
import { Worker } from 'node:worker_threads';
import type { AppError } from '@cairn/kernel';
import type { ParserAnswer, ParserJob } from './parser-protocol.js';
import { readDocument } from './read-document.js';

// A separate thread, because the main thread is busy while it parses.
new Worker(new URL('./parser-watch.js', import.meta.url), { workerData: { parent: process.ppid } }).unref();

process.on('disconnect', () => process.exit(0));
// The parent handles a signal to the process group and decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

const answerTo = async ({ format, bytes }: ParserJob): Promise<ParserAnswer> => {
  try {
    return { document: await readDocument(format, bytes) };
  } catch (thrown) {
    const { code, message, details } = thrown as AppError;
    return { refusal: { code, message, details } };
  }
};

process.on('message', (job: ParserJob) => {
  void answerTo(job).then((answer) => process.send!(answer));
});
