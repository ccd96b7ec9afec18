import { progressLine } from '../oplog/oplog-output.js';

/** Reports how much of a step is done. */
export type Progress = (step: string, done: number, total: number) => void;

const EVERY_MS = 500;

/** Prints at most two lines per second, and always the last one of a step. */
export const progressPrinter = (print: (line: string) => void): Progress => {
  let current = { step: '', from: 0, startedMs: 0, printedMs: -Infinity };
  return (step, done, total) => {
    const nowMs = performance.now();
    if (step !== current.step) current = { step, from: done, startedMs: nowMs, printedMs: -Infinity };
    if (done < total && nowMs - current.printedMs < EVERY_MS) return;
    current.printedMs = nowMs;
    const seconds = (nowMs - current.startedMs) / 1_000;
    const opsPerSecond = seconds > 0 ? Math.round((done - current.from) / seconds) : 0;
    print(`${step}: ${progressLine({ position: done, head: total, opsPerSecond })}`);
  };
};
