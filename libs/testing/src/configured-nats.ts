import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsBinary, freePort } from '@cairn/local-servers';

/** A nats-server with a configuration of the test's own, without streams, for users and certificates. */
export class ConfiguredNats {
  private constructor(
    private readonly child: ChildProcess,
    readonly host: string,
    private readonly dir: string,
  ) {}

  /** The configuration without the address, and files beside it that it includes. */
  static async start(config: string, files: Readonly<Record<string, string>> = {}): Promise<ConfiguredNats> {
    const dir = mkdtempSync(join(tmpdir(), 'cairn-nats-conf-'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
    const host = `127.0.0.1:${await freePort()}`;
    writeFileSync(join(dir, 'nats.conf'), `listen: "${host}"\n${config}\n`);
    const child = spawn(await findNatsBinary(), ['-c', join(dir, 'nats.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const nats = new ConfiguredNats(child, host, dir);
    await nats.prints('Server is ready');
    return nats;
  }

  /** Replaces the configuration, as an operator would; resolves when the server uses it. */
  async reload(config: string): Promise<void> {
    writeFileSync(join(this.dir, 'nats.conf'), `listen: "${this.host}"\n${config}\n`);
    const reloaded = this.prints('Reloaded server configuration');
    this.child.kill('SIGHUP');
    await reloaded;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.dir, { recursive: true });
  }

  private prints(line: string): Promise<void> {
    let seen = '';
    return new Promise((resolve, reject) => {
      this.child.once('exit', () => reject(new Error(`nats-server ended:\n${seen}`)));
      this.child.stderr!.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        if (seen.includes(line)) resolve();
      });
    });
  }
}
