import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPLOG_PLACEHOLDER_SUBJECT, OPLOG_STREAM } from '@cairn/contracts';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { TestNatsCluster } from '@cairn/testing';
import { StreamReader } from './stream-reader.js';
import { StreamRefill, type LostMessage } from './stream-refill.js';
import { ensureStreams } from './streams.js';

const REPLICAS = 3;
const MESSAGES = 1_200;
const HOLES = [1, 7, 8, 900, MESSAGES];

describe('a refill of a replicated stream', () => {
  let brokers: TestNatsCluster;
  let nats: NatsConnection;
  let refill: StreamRefill;
  const lost = Array.from({ length: MESSAGES }, (_, i): LostMessage => {
    const position = i + 1;
    return { position, subject: 'oplog.w.item', body: `op ${position}`, id: `id-${position}` };
  }).filter(({ position }) => !HOLES.includes(position));

  beforeAll(async () => {
    brokers = await TestNatsCluster.start(REPLICAS);
    nats = await connectNats({ url: brokers.url }, 'test');
    await ensureStreams(nats, REPLICAS);
    refill = new StreamRefill(nats, OPLOG_STREAM, OPLOG_PLACEHOLDER_SUBJECT);
  }, 60_000);
  afterAll(async () => {
    await nats.close();
    await brokers.stop();
  });

  it('gives every message its position, leaves the holes empty, and continues there', async () => {
    await refill.write(lost, 0, MESSAGES / 2);
    await refill.write(lost, MESSAGES / 2, MESSAGES);
    expect(await refill.state()).toEqual({ messages: lost.length, last: MESSAGES });
    const reader = new StreamReader(nats, OPLOG_STREAM, 1, ({ position, body }) => [
      position,
      Buffer.from(body).toString(),
    ]);
    const read: unknown[] = [];
    while (read.length < lost.length) read.push(...(await reader.next(500, 5_000)));
    await reader.close();
    expect(read).toEqual(lost.map(({ position, body }) => [position, body]));
  });

  it('is refused where another process has written meanwhile', async () => {
    await expect(refill.write([], MESSAGES - 1, MESSAGES)).rejects.toMatchObject({ code: 'oplog.conflict' });
    await expect(refill.write([], MESSAGES - 1, MESSAGES + 1)).rejects.toMatchObject({ code: 'oplog.conflict' });
    expect(await refill.state()).toEqual({ messages: lost.length, last: MESSAGES });
  });

  it('removes placeholders that a killed one has left', async () => {
    await nats.request(OPLOG_PLACEHOLDER_SUBJECT, '');
    await refill.erasePlaceholders();
    expect(await refill.state()).toEqual({ messages: lost.length, last: MESSAGES + 1 });
  });
});
