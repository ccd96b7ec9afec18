import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectNats } from '@cairn/messaging';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, errors } from '@nats-io/transport-node';
import { freePort } from './free-port.js';
import { findNatsBinary, verifyBinary } from './nats-binary.js';
import { startNatsServer, type NatsServerOptions, type SupervisedNats } from './nats-server.js';

const servers: SupervisedNats[] = [];
const tempDir = (): string => mkdtempSync(join(tmpdir(), 'cairn-nats-'));

const start = async (options: Partial<NatsServerOptions> & { storeDir: string }): Promise<SupervisedNats> => {
  const server = await startNatsServer({ log: () => undefined, ...options });
  servers.push(server);
  return server;
};

const publish = async (url: string, count: number): Promise<void> => {
  const connection = await connectNats({ url }, 'test');
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'T', subjects: ['t'] });
  for (let i = 0; i < count; i++) await jetstream(connection).publish('t', `${i}`);
  await connection.close();
};

const stored = async (url: string): Promise<number> => {
  const connection = await connectNats({ url }, 'test');
  const info = await (await jetstreamManager(connection)).streams.info('T');
  await connection.close();
  return info.state.messages;
};

describe('nats-server', () => {
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it('listens on loopback and writes every message to disk before it acknowledges it', async () => {
    const server = await start({ storeDir: tempDir() });
    const varz = await server.varz();
    expect(varz).toMatchObject({ host: '127.0.0.1', max_payload: 8_388_608 });
    expect(varz.jetstream?.config?.sync_always).toBe(true);
    expect(varz.jetstream?.config?.max_storage).toBe(2 ** 40);
  });

  it('does not sync every message when syncAlways is false', async () => {
    const server = await start({ storeDir: tempDir(), syncAlways: false });
    const varz = await server.varz();
    expect(varz.jetstream?.config?.sync_always).toBeUndefined();
  });

  it('accepts writes again without help after its files could not grow, and keeps all acknowledged ones', async () => {
    const storeDir = tempDir();
    const limit = join(storeDir, 'limit');
    const binary = join(storeDir, 'limited-nats-server');
    // A limit on the file size simulates a full disk: every user can set it, and the server sees the same failure.
    const script = `#!/bin/sh\n[ -e '${limit}' ] && ulimit -f 2048\nexec '${await findNatsBinary()}' "$@"\n`;
    writeFileSync(binary, script, { mode: 0o755 });
    writeFileSync(limit, '');
    const server = await start({ storeDir, binary });
    await publish(server.url, 1);
    const connection = await connectNats({ url: server.url }, 'test');
    const put = () => jetstream(connection).publish('t', Buffer.alloc(65_536), { timeout: 1_000, retries: 0 });
    let acknowledged = 1;
    const fillUp = async (): Promise<unknown> => {
      for (;;) {
        const failure = await put().then(
          () => void acknowledged++,
          (thrown: unknown) => thrown,
        );
        if (failure) return failure;
      }
    };
    expect(await fillUp()).toBeInstanceOf(Error);
    rmSync(limit);
    while (
      !(await put().then(
        () => true,
        () => false,
      ))
    );
    await connection.close();
    expect(await stored(server.url)).toBeGreaterThan(acknowledged);
    expect(server.restarts).toBeGreaterThan(0);
  });

  it('restarts at the same address with its data after a SIGKILL', async () => {
    const events = new EventEmitter();
    const restarted = once(events, 'restart');
    const server = await start({ storeDir: tempDir(), onRestart: () => events.emit('restart') });
    await publish(server.url, 20);
    const { url, pid } = server;
    process.kill(pid as number, 'SIGKILL');
    await restarted;
    expect(server.url).toBe(url);
    expect(server.pid).not.toBe(pid);
    expect(await stored(url)).toBe(20);
  });

  it('keeps its data when it is stopped and started again', async () => {
    const storeDir = tempDir();
    const first = await start({ storeDir });
    await publish(first.url, 5);
    await first.stop();
    expect(await stored((await start({ storeDir })).url)).toBe(5);
  });

  it('rejects a client without the password of this start', async () => {
    const server = await start({ storeDir: tempDir() });
    const { port, password } = new URL(server.url);
    const servers = `127.0.0.1:${port}`;
    const strangers = [
      {},
      { user: 'cairn', pass: 'guess' },
      { user: 'supervisor', pass: password },
      { token: password },
    ];
    for (const stranger of strangers)
      await expect(connect({ servers, ...stranger })).rejects.toBeInstanceOf(errors.AuthorizationError);
    const known = await connect({ servers, user: 'cairn', pass: password });
    await known.close();
  });

  it('opens no monitoring port unless one is configured, since that port has no password', async () => {
    const storeDir = tempDir();
    const closed = await start({ storeDir });
    expect(closed.monitorUrl).toBeUndefined();
    expect(readFileSync(join(storeDir, 'nats.conf'), 'utf8')).not.toContain('http:');
    const open = await start({ storeDir: tempDir(), monitorPort: await freePort() });
    expect((await fetch(`${open.monitorUrl}/healthz`)).status).toBe(200);
  });

  it('keeps the password in a file that only its owner may read, even where an earlier one was readable by all', async () => {
    const storeDir = tempDir();
    const file = join(storeDir, 'nats.conf');
    writeFileSync(file, '', { mode: 0o644 });
    const server = await start({ storeDir });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const shown = execFileSync('ps', ['-o', 'args=', '-p', String(server.pid)], { encoding: 'utf8' });
    expect(shown).not.toContain(new URL(server.url).password);
  });

  it('refuses to run a binary whose checksum is not the known one', async () => {
    const binary = await findNatsBinary();
    await expect(verifyBinary(process.execPath, 'c0ffee')).rejects.toMatchObject({ code: 'nats.binary_unknown' });
    expect(binary).toMatch(/nats-server$/);
  });
});
