import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPLOG_STREAM } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { TestNats } from '@cairn/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { JetStreamOpLog } from './jetstream-op-log.js';
import { EMPTY_HEAD, mustAppend, newOp, readSome } from './new-op.builder.js';
import { describeOpLog } from './op-log.contract.js';
import type { StoredOp } from './op-log.port.js';
import { ensureStreams } from './streams.js';

let broker: TestNats;
let nats: NatsConnection;
let log: JetStreamOpLog;

beforeAll(async () => {
  broker = await TestNats.start();
  nats = await broker.connect();
  await ensureStreams(nats);
  log = await JetStreamOpLog.open(nats);
});
afterAll(() => broker.stop());

describeOpLog('JetStream', () => log);

/** A connection whose requests reach the broker, but whose answers are lost. */
const deaf = (connection: NatsConnection): NatsConnection =>
  new Proxy(connection, {
    get: (target, key) => {
      if (key === 'request') {
        return async (...args: Parameters<NatsConnection['request']>) => {
          await target.request(...args);
          throw new errors.TimeoutError();
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });

describe('appending to JetStream', () => {
  it.each([1, 3])('finds %i op(s) whose acknowledgement was lost in the log, and stores them once', async (count) => {
    const workspace = systemIds.next();
    const start = (await log.head()) + 1;
    const ops = Array.from({ length: count }, () => newOp());
    const lossy = await JetStreamOpLog.open(deaf(nats));
    expect(await lossy.append(workspace, EMPTY_HEAD, ops)).toEqual({ kind: 'unknown' });
    expect(await log.append(workspace, EMPTY_HEAD, ops)).toEqual({ kind: 'conflict' });
    const found = await readSome(log, start, count);
    expect(found.map(({ op }) => op.id)).toEqual(ops.map(({ id }) => id));
    expect(await log.head(workspace)).toBe(start + count - 1);
  });

  it('reports the broker code of a rejected append that is not a conflict', async () => {
    const full = await TestNats.start();
    const connection = await full.connect();
    await ensureStreams(connection);
    const manager = await jetstreamManager(connection);
    await manager.streams.update(OPLOG_STREAM, { max_msgs: 1 });
    const small = await JetStreamOpLog.open(connection);
    await mustAppend(small, systemIds.next(), EMPTY_HEAD, [newOp()]);
    await expect(small.append(systemIds.next(), EMPTY_HEAD, [newOp()])).rejects.toMatchObject({
      code: 'oplog.unavailable',
      details: { brokerCode: 10077 },
    });
    await full.stop();
  });
});

const reconnection = async (connection: NatsConnection): Promise<void> => {
  for await (const status of connection.status()) if (status.type === 'reconnect') return;
};

describe('following JetStream', () => {
  it('neither loses nor duplicates an entry when the broker is killed repeatedly', async () => {
    const workspace = systemIds.next();
    const start = (await log.head()) + 1;
    const reader = log.read(start);
    const seen: StoredOp[] = [];
    const written: string[] = [];
    let head = EMPTY_HEAD;
    const writeAndRead = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const op = newOp();
        head = await mustAppend(log, workspace, head, [op]);
        written.push(op.id);
      }
      while (seen.length < written.length) seen.push(...(await reader.next(100, 5_000)));
    };
    await writeAndRead(50);
    for (let round = 0; round < 3; round++) {
      const reconnected = reconnection(nats);
      await broker.kill();
      await reconnected;
      await writeAndRead(50);
    }
    expect(await reader.next(100, 100)).toEqual([]);
    expect(seen.map(({ op }) => op.id)).toEqual(written);
    await reader.close();
  });

  it('stops at an entry that it cannot read, and reports its position', async () => {
    const subject = `oplog.${systemIds.next()}.item`;
    const start = (await log.head()) + 1;
    await nats.request(subject, 'not an op');
    const reader = log.read(start);
    await expect(reader.next(10, 5_000)).rejects.toMatchObject({
      code: 'contract.unreadable',
      details: { position: start },
    });
    await reader.close();
  });

  it('leaves no listener behind when it is closed immediately', async () => {
    const listeners = (nats as unknown as { protocol: { listeners: unknown[] } }).protocol.listeners;
    const before = listeners.length;
    for (let i = 0; i < 5; i++) await log.read(1).close();
    await nats.flush();
    expect(listeners).toHaveLength(before);
  });
});
