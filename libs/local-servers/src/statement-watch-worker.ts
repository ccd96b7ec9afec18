/** The thread that enforces the time limit of statements: see statement-watch.ts. */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { END_STATEMENT, LIMIT_MS, RUN } from './statement-watch.js';

/** A statement may exceed its limit by this much; checking more often would only wake an idle machine. */
const LOOK_EVERY_MS = 100;

const cells = workerData as Int32Array;
let [seen, sinceMs] = [0, 0];

const isRunning = (run: number): boolean => (run & 1) === 1;

/** Connects only briefly: a process whose inspector is in use does not exit silently. */
const endStatement = (run: number): void => {
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `${END_STATEMENT}(${run})` }, () => session.disconnect());
};

setInterval(() => {
  const run = Atomics.load(cells, RUN);
  if (run !== seen) [seen, sinceMs] = [run, performance.now()];
  else if (isRunning(run) && performance.now() - sinceMs >= Atomics.load(cells, LIMIT_MS)) {
    endStatement(run);
    sinceMs = performance.now();
  }
}, LOOK_EVERY_MS);
