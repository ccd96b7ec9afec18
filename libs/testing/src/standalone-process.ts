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

export interface StandaloneOptions {
  /** Where it reports to be ready: its own port, unless other machines can reach that. */
  readonly opsUrl?: string | undefined;
  /** The checkout whose build runs, this one by default. */
  readonly root?: string | undefined;
  /** How long the start may take. */
  readonly timeoutMs?: number | undefined;
}

export class StandaloneProcess {
  private constructor(
    readonly home: string,
    readonly app: AppProcess,
  ) {}

  static async start(
    home: string,
    env: Record<string, string> = {},
    { root, timeoutMs, opsUrl }: StandaloneOptions = {},
  ): Promise<StandaloneProcess> {
    const app = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: '0', ...env }, root);
    const standalone = new StandaloneProcess(home, app);
    try {
      await app.until(() => standalone.hasRunInfo && answersOk(`${opsUrl ?? standalone.run.url}/readyz`), timeoutMs);
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
