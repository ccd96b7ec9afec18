import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPglite, type SupervisedServer } from '@cairn/local-servers';
import { restarts } from './restarts.js';

const temporary = (): string => mkdtempSync(join(tmpdir(), 'cairn-pglite-'));

const pgliteVersion = (): string => {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return (JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as { version: string }).version;
};

/** Creating a database takes seconds, copying one does not: the template is created once per machine and version. */
const template = async (): Promise<string> => {
  const kept = join(tmpdir(), `cairn-pglite-template-${pgliteVersion()}-${process.getuid?.() ?? 0}`);
  if (existsSync(kept)) return kept;
  const dataDir = temporary();
  const server = await startPglite({ dataDir, log: () => undefined });
  await server.stop();
  try {
    renameSync(dataDir, kept);
  } catch {
    // Another test file created it first.
    rmSync(dataDir, { recursive: true, force: true });
  }
  return kept;
};

/** A separate, empty PGlite for a test, behind the Postgres protocol. */
export class TestPglite {
  private constructor(
    readonly server: SupervisedServer,
    readonly dataDir: string,
    private readonly nextRestart: () => Promise<void>,
  ) {}

  static async start(): Promise<TestPglite> {
    const dataDir = temporary();
    cpSync(await template(), dataDir, { recursive: true });
    const { onRestart, nextRestart } = restarts();
    const server = await startPglite({ dataDir, log: () => undefined, onRestart });
    return new TestPglite(server, dataDir, nextRestart);
  }

  get url(): string {
    return this.server.url;
  }

  /** Kills the process; resolves when its supervisor has restarted it. */
  async kill(): Promise<void> {
    const back = this.nextRestart();
    process.kill(this.server.pid!, 'SIGKILL');
    await back;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
