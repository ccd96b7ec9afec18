import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMsOfTree } from './process-usage.js';

const PROGRAM = fileURLToPath(new URL('./empty-server.js', import.meta.url));

export interface EmptyServerOptions {
  readonly workDir: string;
  /** The answer of each tool. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly port?: number;
}

/** Spawned but not awaited: the start benchmark polls it. */
export const spawnEmptyServer = ({ workDir, answers, port = 0 }: EmptyServerOptions): ChildProcess => {
  const file = join(workDir, 'empty-server-answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return spawn(process.execPath, [PROGRAM, file, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
};

export const endProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** The empty server as a separate process that listens. */
export class EmptyServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly mcpUrl: string,
  ) {}

  static async start(options: EmptyServerOptions): Promise<EmptyServer> {
    const child = spawnEmptyServer(options);
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return new EmptyServer(child, `http://127.0.0.1:${line.toString().trim()}/mcp`);
  }

  readonly cpuMs = (): number => cpuMsOfTree(this.child.pid!);

  stop(): Promise<void> {
    return endProcess(this.child);
  }
}
