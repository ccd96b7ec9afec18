import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FORGOTTEN_CHUNKS_SUBJECT } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { TestNats } from '@cairn/testing';
import { followForgettings } from './forgotten-chunks.js';

let broker: TestNats;
let nats: NatsConnection;
let ingest: NatsConnection;
const calls: unknown[] = [];
let finish: (() => void) | undefined;
let isSlow = false;

const memory = {
  forget: (chunkIds: readonly string[]) => {
    calls.push(chunkIds);
    return isSlow ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve();
  },
  dropAll: () => Promise.resolve(void calls.push('all')),
};
const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
};
const ask = (body: string) => ingest.request(FORGOTTEN_CHUNKS_SUBJECT, body, { timeout: 10_000 });

beforeAll(async () => {
  broker = await TestNats.start();
  [nats, ingest] = [await broker.connect(), await broker.connect()];
  await followForgettings(nats, memory, { warn: () => undefined });
}, 60_000);
afterAll(() => broker.stop());

describe('messages about forgotten chunks', () => {
  it('are answered when the chunks have left the memory', async () => {
    const chunkIds = [randomUUID(), randomUUID()];
    isSlow = true;
    let isAnswered = false;
    const answer = ask(JSON.stringify({ chunkIds })).then(() => (isAnswered = true));
    await until(() => finish !== undefined);
    await ingest.flush();
    expect([calls.splice(0), isAnswered]).toEqual([[chunkIds], false]);
    finish!();
    isSlow = false;
    await answer;
  });

  it('empty the memory if they cannot be read', async () => {
    for (const body of ['', 'no json', '{"chunkIds":["1"]}', '{}']) {
      await ask(body);
      expect([body, calls.splice(0)]).toEqual([body, ['all']]);
    }
  });

  it('may be missed while the broker is unavailable, so the memory is emptied after that', async () => {
    await broker.kill();
    await until(() => calls.length > 0);
    expect(calls.splice(0)).toEqual(['all']);
    // The broker knows of the subscription again.
    await nats.flush();
    // The old connection may not have noticed the restart yet; what it sends until then is lost.
    ingest = await broker.connect();
    const chunkIds = [randomUUID()];
    await ask(JSON.stringify({ chunkIds }));
    expect(calls.splice(0)).toEqual([chunkIds]);
  });
});
