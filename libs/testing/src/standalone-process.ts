import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersOk, AppProcess } from '@cairn/local-servers';

export interface RunInfo {
  readonly pid: number;
  readonly url: string;
  readonly mcpUrl: string;
  readonly natsUrl: string;
  readonly databaseUrl: string;
  readonly childPids: { readonly nats: number; readonly postgres: number };
}

<<<<<<< HEAD
=======
/** A built app as a process of its own, with everything it prints kept for the failure message. */
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

  /** For a signal handler: stops the processes that other parts of the program hold or are about to start. */
  static async endAll(signal: NodeJS.Signals): Promise<void> {
    await Promise.all([...AppProcess.running].map((app) => app.end(signal)));
  }

  static start(name: string, env: Record<string, string>): AppProcess {
    const main = join(ROOT, 'apps', name, 'dist', 'main.js');
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

  /** Polls until the check holds; a process that has ended, or the time limit, is an error that shows what it printed. */
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

>>>>>>> caa0f5f (refactor(words): plain English in seven small folders)
export class StandaloneProcess {
  private constructor(
    readonly home: string,
    readonly app: AppProcess,
  ) {}

  static async start(home: string, env: Record<string, string> = {}): Promise<StandaloneProcess> {
    const app = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: '0', ...env });
    const standalone = new StandaloneProcess(home, app);
    try {
      await app.until(() => standalone.hasRunInfo && answersOk(`${standalone.run.url}/readyz`));
    } catch (thrown) {
      await app.end('SIGTERM');
      throw thrown;
    }
    return standalone;
  }

  get run(): RunInfo {
    return JSON.parse(readFileSync(join(this.home, 'run.json'), 'utf8')) as RunInfo;
  }

  get token(): string {
    return readFileSync(join(this.home, 'admin-token'), 'utf8').trim();
  }

  private get hasRunInfo(): boolean {
    return existsSync(join(this.home, 'run.json')) && this.run.pid === this.app.pid;
  }

  stop(): Promise<number | string> {
    return this.app.end('SIGTERM');
  }
}
