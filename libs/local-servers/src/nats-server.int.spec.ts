import { EventEmitter, once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findNatsBinary, verifyBinary } from './nats-binary.js';
import { startNatsServer, type NatsServerOptions, type SupervisedNats } from './nats-server.js';

const servers: SupervisedNats[] = [];
const tempDir = (): string => mkdtempSync(join(tmpdir(), 'cairn-nats-'));

async function start(options: Partial<NatsServerOptions> & { storeDir: string }): Promise<SupervisedNats> {
  const server = await startNatsServer({ log: () => undefined, ...options });
  servers.push(server);
  return server;
}

interface Varz {
  readonly host: string;
  readonly max_payload: number;
  readonly jetstream: { readonly config: { readonly sync_always?: boolean; readonly max_storage: number } };
}

async function readVarz(server: SupervisedNats): Promise<Varz> {
  return (await (await fetch(`${server.monitorUrl}/varz`)).json()) as Varz;
}

async function publish(url: string, count: number): Promise<void> {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'T', subjects: ['t'] });
  for (let i = 0; i < count; i++) await jetstream(connection).publish('t', `${i}`);
  await connection.close();
}

async function stored(url: string): Promise<number> {
  const connection = await connect({ servers: url });
  const info = await (await jetstreamManager(connection)).streams.info('T');
  await connection.close();
  return info.state.messages;
}

describe('nats-server', () => {
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it('listens on loopback and writes every message to disk before it acknowledges it', async () => {
    const server = await start({ storeDir: tempDir() });
    const varz = await readVarz(server);
    expect(varz).toMatchObject({ host: '127.0.0.1', max_payload: 8_388_608 });
    expect(varz.jetstream.config.sync_always).toBe(true);
    expect(varz.jetstream.config.max_storage).toBe(2 ** 40);
  });

  it('can be told to be less careful', async () => {
    const server = await start({ storeDir: tempDir(), syncAlways: false });
    const varz = await readVarz(server);
    expect(varz.jetstream.config.sync_always).toBeUndefined();
  });

  it('comes back at the same address with its data after a SIGKILL', async () => {
    const events = new EventEmitter();
    const restarted = once(events, 'restart');
    const server = await start({ storeDir: tempDir(), onRestart: () => events.emit('restart') });
    await publish(server.url, 20);
    const { url, monitorUrl, pid } = server;
    process.kill(pid as number, 'SIGKILL');
    await restarted;
    expect({ url: server.url, monitorUrl: server.monitorUrl }).toEqual({ url, monitorUrl });
    expect(server.pid).not.toBe(pid);
    expect(await stored(url)).toBe(20);
  });

  it('keeps its data over a stop and a new start', async () => {
    const storeDir = tempDir();
    const first = await start({ storeDir });
    await publish(first.url, 5);
    await first.stop();
    expect(await stored((await start({ storeDir })).url)).toBe(5);
  });

  it('refuses a binary whose checksum is not the known one', async () => {
    const binary = await findNatsBinary();
    await expect(verifyBinary(process.execPath, 'c0ffee')).rejects.toMatchObject({ code: 'nats.binary_unknown' });
    expect(binary).toMatch(/nats-server$/);
  });
});
