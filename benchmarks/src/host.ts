import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '@cairn/local-servers';
import { StandaloneProcess, type RunInfo, type StandaloneOptions } from '@cairn/testing';

/** A running Cairn, whatever its processes are. */
export interface Host {
  readonly url: string;
  readonly mcpUrl: string;
  readonly token: string;
  /** Its processes; their descendants belong to it too. */
  readonly pids: readonly number[];
  /** What its processes printed last. */
  readonly output: string;
  /** Where its data is, by part. */
  readonly dataFolders: Readonly<Record<string, string>>;
  /** The settings with which the command line finds it. */
  readonly cliEnv: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const OUTPUT_CHARS = 2_000;

/** One process on its own home, which starts a broker and a database. */
export class StandaloneHost implements Host {
  private constructor(private readonly process: StandaloneProcess) {}

  static async start(
    home: string,
    env: Record<string, string>,
    options: StandaloneOptions = {},
  ): Promise<StandaloneHost> {
    return new StandaloneHost(await StandaloneProcess.start(home, { LOG_LEVEL: 'warn', ...env }, options));
  }

  get run(): RunInfo {
    return this.process.run;
  }

  get url(): string {
    return this.run.url;
  }

  get mcpUrl(): string {
    return this.run.mcpUrl;
  }

  get token(): string {
    return this.process.token;
  }

  get pids(): readonly number[] {
    return [this.process.app.pid];
  }

  get output(): string {
    return this.process.app.output.slice(-OUTPUT_CHARS);
  }

  get dataFolders(): Readonly<Record<string, string>> {
    const { home } = this.process;
    const folders = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return Object.fromEntries(folders.map(({ name }) => [name, join(home, name)]));
  }

  get cliEnv(): Readonly<Record<string, string>> {
    return { CAIRN_HOME: this.process.home };
  }

  async stop(): Promise<void> {
    const code = await this.process.stop();
    if (code !== 0) throw new Error(`the standalone ended with ${code}:\n${this.output}`);
  }
}

/** The four services as processes, on native servers. */
export class ClusterHost implements Host {
  constructor(
    private readonly cluster: Cluster,
    private readonly dataDir: string,
  ) {}

  get url(): string {
    return this.cluster.url;
  }

  get mcpUrl(): string {
    return this.cluster.mcpUrl;
  }

  get token(): string {
    return this.cluster.token;
  }

  get pids(): readonly number[] {
    const { services, servers } = this.cluster;
    return [...Object.values(services), ...servers].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  get output(): string {
    return Object.values(this.cluster.services)
      .map(({ name, output }) => `${name}: ${output.slice(-OUTPUT_CHARS)}`)
      .join('\n');
  }

  /** Without configuration and programs, which some of the folders hold too. */
  get dataFolders(): Readonly<Record<string, string>> {
    return {
      nats: join(this.dataDir, 'nats'),
      postgres: join(this.dataDir, 'postgres', 'pgdata'),
      opensearch: join(this.dataDir, 'opensearch', 'data'),
    };
  }

  get cliEnv(): Readonly<Record<string, string>> {
    return this.cluster.envOf('cli');
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}
