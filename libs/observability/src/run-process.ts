import { AppError, ConfigError } from '@cairn/kernel';

/** The text for the person who started the process: one message, with a stack only when the error is unexpected. */
const explain = (thrown: unknown): string => {
  if (thrown instanceof ConfigError || thrown instanceof AppError) return thrown.message;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
};

const STARTING_GRACE_MS = 5_000;

/**
 * The life of a process: start, serve until SIGTERM or SIGINT, stop in order, exit 0. A start that fails prints the reason
 * and exits 1. A second signal changes nothing: SIGKILL is safe anyway.
 */
export const runProcess = (start: () => Promise<{ close(): Promise<void> }>): void => {
  const fail = (thrown: unknown): never => {
    process.stderr.write(`${explain(thrown)}\n`);
    process.exit(1);
  };
  let isStopping = false;
  const started = start();
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // A start that hangs must not keep the process running after a signal to stop.
    let isStarted = false;
    void started.then(() => (isStarted = true));
    setTimeout(() => !isStarted && process.exit(0), STARTING_GRACE_MS).unref();
    void started.then((running) => running.close()).then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  started.catch(fail);
};
