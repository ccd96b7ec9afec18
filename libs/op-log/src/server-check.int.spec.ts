import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPLOG_STREAM, RATES_STREAM } from '@cairn/contracts';
import { freePort } from '@cairn/local-servers';
import { TestNats } from '@cairn/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { checkServer } from './server-check.js';
import { ensureStreams } from './streams.js';

const quiet = { warn: () => undefined };
const ofVersion = (version: string): NatsConnection => ({ info: { version } }) as unknown as NatsConnection;

describe('checking the broker', () => {
  let careful: TestNats;
  let careless: TestNats;
  beforeAll(async () => {
    const [first, second] = [await freePort(), await freePort()];
    [careful, careless] = await Promise.all([
      TestNats.start({ monitorPort: first }),
      TestNats.start({ monitorPort: second, syncAlways: false }),
    ]);
  });
  afterAll(() => Promise.all([careful.stop(), careless.stop()]));

  it('accepts a broker that is new enough and syncs before it acknowledges', async () => {
    const nats = await careful.connect();
    await expect(checkServer(nats, { ...quiet, monitorUrl: careful.server.monitorUrl })).resolves.toBeUndefined();
  });

  it.each(['2.11.9', '2.10.23', '1.4.0'])('rejects version %s as too old', async (version) => {
    await expect(checkServer(ofVersion(version), quiet)).rejects.toMatchObject({
      code: 'oplog.unsuitable_server',
      message: expect.stringContaining(`nats-server ${version} is too old: Cairn needs 2.12 or newer`),
    });
  });

  it('rejects a broker that acknowledges before it syncs, and the message names the setting', async () => {
    const nats = await careless.connect();
    const check = checkServer(nats, { ...quiet, monitorUrl: careless.server.monitorUrl });
    await expect(check).rejects.toMatchObject({
      code: 'oplog.unsuitable_server',
      message: expect.stringMatching(/could be lost with the power\. Set `jetstream { sync_interval: always }`/),
    });
  });

  it('accepts a broker without reading its settings when its supervisor has checked them', async () => {
    const warnings: string[] = [];
    await checkServer(ofVersion('2.14.0'), { isProven: true, warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([]);
  });

  it('warns when the settings cannot be read', async () => {
    const warnings: string[] = [];
    await checkServer(ofVersion('2.14.0'), {
      monitorUrl: 'http://127.0.0.1:1',
      warn: (message) => warnings.push(message),
    });
    expect(warnings).toEqual([expect.stringContaining('cannot be proven')]);
  });
});

describe('the streams of record', () => {
  let broker: TestNats;
  beforeAll(async () => {
    broker = await TestNats.start();
  });
  afterAll(() => broker.stop());

  it('are created once, and rejected when they were created with other settings', async () => {
    const nats = await broker.connect();
    await ensureStreams(nats);
    await ensureStreams(nats);
    const manager = await jetstreamManager(nats);
    const { config: rates } = await manager.streams.info(RATES_STREAM);
    expect(rates).toMatchObject({ storage: 'file', persist_mode: 'async', allow_msg_counter: true });
    await manager.streams.update(OPLOG_STREAM, { max_age: 600 * 1e9 });
    await expect(ensureStreams(nats)).rejects.toMatchObject({
      code: 'oplog.unsuitable_server',
      message: 'stream OPLOG has other settings than Cairn needs: max_age',
    });
  });
});
