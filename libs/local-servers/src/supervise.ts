import { setTimeout as delay } from 'node:timers/promises';
import { AppError, fail } from '@cairn/kernel';
import { launch, type ChildExit, type LaunchCommand, type LaunchedChild } from './child-launch.js';
import { endStaleProcess, killGroup, removePidFile, writePidFile } from './process-identity.js';

export interface LocalServer {
  readonly name: string;
  readonly url: string;
  /** Undefined while the server is down between a crash and its restart. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

export interface SupervisedServer extends LocalServer {
  /** How often the server was restarted after a crash. */
  readonly restarts: number;
}

export interface SupervisorOptions {
  readonly log: (line: string) => void;
  /** Called when the server is ready again after a crash, with its new pid. */
  readonly onRestart?: (server: LocalServer) => void;
  /** Called when a restart has to wait until the disk has room. */
  readonly onNoRoom?: (server: LocalServer) => void;
  /** Called once when restarting cannot help, such as `pglite.corrupt`; the server then stays down. */
  readonly onGiveUp?: (error: AppError) => void;
}

export interface Supervision extends SupervisorOptions {
  readonly name: string;
  readonly url: string;
  /** Holds the child's identity, so that the next start finds an orphan of this one. */
  readonly pidFile: string;
  /** Runs before every launch, after orphans were ended; returns what to run. */
  readonly spawn: () => LaunchCommand | Promise<LaunchCommand>;
  /** Resolves once the child serves requests; the signal ends the wait. */
  readonly ready: (child: LaunchedChild, signal: AbortSignal) => Promise<void>;
  /** Turns an exit before readiness into a specific error; one of kind `defect` ends all attempts. */
  readonly explainExit?: (exit: ChildExit, lastLines: string) => AppError | undefined;
  /** Whether a line reports that the server runs but refuses work until it is restarted. */
  readonly isStuck?: (line: string) => boolean;
  /** Checked before each restart; without room on the disk the restart would fail again. */
  readonly hasRoom?: () => boolean;
  readonly readyTimeoutMs?: number;
  readonly stopSignal?: NodeJS.Signals;
  readonly stopGraceMs?: number;
  readonly backoff?: Backoff;
}

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A child that ran this long was healthy: after the next crash the wait starts at `firstMs` again. */
  readonly healthyAfterMs: number;
}

const DEFAULT_BACKOFF: Backoff = { firstMs: 100, maxMs: 5_000, healthyAfterMs: 30_000 };
const READY_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 10_000;

/** Starts a server, waits until it is ready, and keeps it alive on the same port until `stop`. */
export const supervise = async (options: Supervision): Promise<SupervisedServer> => {
  const supervisor = new Supervisor(options);
  await supervisor.start();
  return supervisor;
};

class Supervisor implements SupervisedServer {
  restarts = 0;
  #child: LaunchedChild | undefined;
  #stopped: Promise<void> | undefined;
  #watching: Promise<void> = Promise.resolve();
  /** Resolves with the line in which the current child reports that it is stuck. */
  #stuck = new Promise<string>(() => undefined);
  readonly #stopping = new AbortController();

  constructor(private readonly options: Supervision) {}

  get name(): string {
    return this.options.name;
  }

  get url(): string {
    return this.options.url;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const child = await this.#launchUntilReady();
    this.#watching = this.#keepAlive(child);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopNow();
    return this.#stopped;
  }

  async #stopNow(): Promise<void> {
    this.#stopping.abort();
    if (this.#child) await this.#end(this.#child);
    await this.#watching;
  }

  async #keepAlive(first: LaunchedChild): Promise<void> {
    const { firstMs, maxMs, healthyAfterMs } = this.options.backoff ?? DEFAULT_BACKOFF;
    let child: LaunchedChild | undefined = first;
    let waitMs = firstMs;
    while (true) {
      if (child) {
        const since = Date.now();
        const text = await this.#untilEnded(child);
        this.#child = undefined;
        if (Date.now() - since >= healthyAfterMs) waitMs = firstMs;
        if (!this.#stopping.signal.aborted) this.#say(`ended (${text}); restarting in ${waitMs} ms`);
      }
      await delay(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      await this.#untilRoom();
      if (this.#stopping.signal.aborted) return;
      waitMs = Math.min(waitMs * 2, maxMs);
      const next: LaunchedChild | AppError = await this.#launchUntilReady().catch((error: unknown) =>
        asAppError(error),
      );
      if (this.#stopping.signal.aborted) return;
      child = next instanceof AppError ? undefined : next;
      if (next instanceof AppError) {
        if (next.kind === 'defect') return this.#giveUp(next);
        this.#say(`restart failed: ${next.message}`);
      } else {
        this.restarts++;
        this.#say(`restarted as process ${next.pid}`);
        this.options.onRestart?.(this);
      }
    }
  }

  /** How the child ended: by itself, or killed here because it was stuck. */
  async #untilEnded(child: LaunchedChild): Promise<string> {
    const line = await Promise.race([child.exited.then(() => undefined), this.#stuck]);
    if (line !== undefined) {
      this.#say(`is stuck and will be restarted: ${line}`);
      await this.#untilRoom();
      await this.#end(child);
    }
    return (await child.exited).text;
  }

  async #untilRoom(): Promise<void> {
    const { hasRoom } = this.options;
    if (!hasRoom || hasRoom()) return;
    this.options.onNoRoom?.(this);
    await pollUntil(() => Promise.resolve(hasRoom()), this.#stopping.signal, ROOM_POLL_MS);
  }

  #giveUp(error: AppError): void {
    this.#say(`stays down: ${error.message}`);
    this.options.onGiveUp?.(error);
  }

  async #launchUntilReady(): Promise<LaunchedChild> {
    const { name, pidFile } = this.options;
    const stale = await endStaleProcess(pidFile);
    if (stale !== undefined) this.#say(`ended process ${stale}, left behind by an earlier run`);
    const command = await this.options.spawn();
    let onStuck: (line: string) => void = () => undefined;
    this.#stuck = new Promise((resolve) => (onStuck = resolve));
    const onLine = (line: string): void => {
      this.#say(line);
      if (this.options.isStuck?.(line)) onStuck(line);
    };
    const child = await launch(command, onLine).catch((error: unknown) => {
      throw notReady(
        name,
        `could not be started: ${error instanceof Error ? error.message : String(error)}`,
        '',
        error,
      );
    });
    writePidFile(pidFile, child.pid);
    this.#child = child;
    try {
      await this.#waitUntilReady(child);
      return child;
    } catch (error) {
      await this.#end(child);
      this.#child = undefined;
      throw error;
    }
  }

  async #waitUntilReady(child: LaunchedChild): Promise<void> {
    const { name, readyTimeoutMs = READY_TIMEOUT_MS, explainExit } = this.options;
    const wait = new AbortController();
    const giveUpWaiting = (): void => wait.abort();
    const timer = setTimeout(giveUpWaiting, readyTimeoutMs);
    this.#stopping.signal.addEventListener('abort', giveUpWaiting);
    let exit: ChildExit | undefined;
    try {
      const died = child.exited.then((how) => (exit = how));
      const gaveUp = new Promise((resolve) => wait.signal.addEventListener('abort', resolve));
      await Promise.race([this.options.ready(child, wait.signal), died, gaveUp]);
      const printed = child.lastLines();
      if (exit)
        throw explainExit?.(exit, printed) ?? notReady(name, `ended (${exit.text}) before it was ready`, printed);
      if (this.#stopping.signal.aborted) throw notReady(name, 'was stopped before it was ready', printed);
      if (wait.signal.aborted) throw notReady(name, `was not ready within ${readyTimeoutMs} ms`, printed);
    } finally {
      clearTimeout(timer);
      this.#stopping.signal.removeEventListener('abort', giveUpWaiting);
      wait.abort();
    }
  }

  async #end(child: LaunchedChild): Promise<void> {
    const { stopSignal = 'SIGTERM', stopGraceMs = STOP_GRACE_MS, pidFile } = this.options;
    child.process.kill(stopSignal);
    const timer = setTimeout(() => {
      this.#say(`did not stop within ${stopGraceMs} ms and is killed`);
      killGroup(child.pid, 'SIGKILL');
    }, stopGraceMs);
    await child.exited;
    clearTimeout(timer);
    removePidFile(pidFile);
  }

  #say(line: string): void {
    this.options.log(`${this.options.name}: ${line}`);
  }
}

const notReady = (name: string, reason: string, lastLines: string, cause?: unknown): AppError => {
  const printed = lastLines === '' ? 'It printed nothing.' : `It printed last:\n${lastLines}`;
  return fail('server.not_ready', `${name} ${reason}. ${printed}`, { server: name }, cause);
};

const asAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return fail('server.not_ready', message, {}, error);
};

const POLL_MS = 25;
const ROOM_POLL_MS = 1_000;

/** Polls until `check` returns true. Returns early once the signal is aborted, because no one waits any more. */
export const pollUntil = async (
  check: () => Promise<boolean>,
  signal: AbortSignal,
  pollMs = POLL_MS,
): Promise<void> => {
  while (!signal.aborted && !(await check())) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
};
