import { STOP_MS_MAX } from '@cairn/contracts';
import { AppError, ConfigError } from '@cairn/kernel';

/** The text for the person who started the process: one message, with a stack only when the error is unexpected. */
const explain = (thrown: unknown): string => {
  if (thrown instanceof ConfigError || thrown instanceof AppError) return thrown.message;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
};

const STARTING_GRACE_MS = 5_000;

export interface RunningProcess {
  /** Stops in order: takes no more work, answers what it has taken, closes its resources. */
  close(): Promise<void>;
  /** How much of the stop is spent on waiting for a load balancer. */
  readonly stopDelayMs?: number;
}

/**
 * The life of a process: start, serve until SIGTERM or SIGINT, stop in order, exit 0. A start that fails prints the reason
 * and exits 1, and so does a stop that takes too long. A second signal changes nothing: SIGKILL is safe anyway.
 */
export const runProcess = (start: () => Promise<RunningProcess>): void => {
  const endWith = (text: string): never => {
    process.stderr.write(`${text}\n`);
    process.exit(1);
  };
  const fail = (thrown: unknown): never => endWith(explain(thrown));
  const after = (ms: number, act: () => void): void => void setTimeout(act, ms).unref();
  let isStopping = false;
  let isStarted = false;
  const started = start();
  const close = (running: RunningProcess): Promise<void> => {
    const msMax = (running.stopDelayMs ?? 0) + STOP_MS_MAX;
    after(msMax, () => endWith(`the process did not stop within ${msMax / 1_000} s and is ended`));
    return running.close();
  };
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // A start that hangs must not keep the process running after a signal to stop.
    after(STARTING_GRACE_MS, () => !isStarted && process.exit(0));
    void started.then(close).then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  started.then(() => (isStarted = true), fail);
};
