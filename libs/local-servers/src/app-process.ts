import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const START_TIMEOUT_MS = 120_000;
/** The flags of `npm start`: a larger nursery, because most of what a call allocates is short-lived. */
const STANDALONE_FLAGS = ['--max-semi-space-size=32'];

/** A built app in its own process. Keeps everything it prints for the failure message. */
export class AppProcess {
  /** Started by this process and not ended yet. */
  private static readonly running = new Set<AppProcess>();

  private printed = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly name: string,
  ) {
    const keep = (chunk: Buffer): void => {
      this.printed = (this.printed + chunk.toString()).slice(-200_000);
    };
    child.stdout!.on('data', keep);
    child.stderr!.on('data', keep);
    AppProcess.running.add(this);
    child.once('exit', () => AppProcess.running.delete(this));
  }

  /** Ends every process that this one has started, for a signal handler that does not hold them. */
  static async endAll(signal: NodeJS.Signals): Promise<void> {
    await Promise.all([...AppProcess.running].map((app) => app.end(signal)));
  }

  /** `root` is the checkout whose build runs, this one by default. */
  static start(name: string, env: Record<string, string>, root: string = ROOT): AppProcess {
    const main = join(root, 'apps', name, 'dist', 'main.js');
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(
        ([key]) => !/^(CAIRN_|NATS_|DATABASE_|OPENSEARCH_|EMBEDDING_|CORRECTION_|NODE_OPTIONS)/.test(key),
      ),
    );
    const cache = process.env['CAIRN_CACHE'];
    const child = spawn(process.execPath, [...(name === 'standalone' ? STANDALONE_FLAGS : []), main], {
      env: { ...inherited, ...(cache === undefined ? {} : { CAIRN_CACHE: cache }), LOG_FORMAT: 'json', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new AppProcess(child, name);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get output(): string {
    return this.printed;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The exit code, or the signal that ended it. */
  ended(): Promise<number | string> {
    if (this.hasEnded) return Promise.resolve(this.child.exitCode ?? this.child.signalCode ?? 'unknown');
    return new Promise((resolve) => this.child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')));
  }

  async end(signal: NodeJS.Signals): Promise<number | string> {
    const ended = this.ended();
    this.child.kill(signal);
    return ended;
  }

  /** Polls until the check holds. Throws, with everything the process printed, when it ends or the time limit is reached. */
  async until(check: () => Promise<boolean> | boolean, timeoutMs = START_TIMEOUT_MS): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await check())) {
      if (this.hasEnded) throw new Error(`${this.name} ended before it was ready:\n${this.printed}`);
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready in time:\n${this.printed}`);
      await delay(25);
    }
  }
}

export const answersOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
