import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FORGOTTEN_CHUNKS_SUBJECT } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { TestNats } from '@cairn/testing';
import type { Pool } from 'pg';
import { SearchMemories } from './search-memories.js';

const CHUNK_IDS = [randomUUID(), randomUUID()];
const pool = { query: () => Promise.resolve({ rows: CHUNK_IDS.map((id) => ({ id })) }) } as unknown as Pool;

let broker: TestNats;
let nats: NatsConnection;
let search: NatsConnection;
let warnings: unknown[];
let memories: SearchMemories;

beforeAll(async () => {
  broker = await TestNats.start();
  [nats, search] = [await broker.connect(), await broker.connect()];
}, 60_000);
afterAll(() => broker.stop());
beforeEach(() => {
  warnings = [];
  memories = new SearchMemories({ nats, pool, logger: { warn: (entry: object) => warnings.push(entry) } });
});

/** A replica of search that answers at once or, once slowed down, when the test lets it. */
const replica = async () => {
  const asked: string[][] = [];
  let waiting: (() => void)[] = [];
  let isSlow = false;
  const subscription = search.subscribe(FORGOTTEN_CHUNKS_SUBJECT, {
    callback: (_, message) => {
      asked.push(message.json<{ chunkIds: string[] }>().chunkIds);
      if (isSlow) waiting.push(() => message.respond());
      else message.respond();
    },
  });
  await search.flush();
  const answer = () => {
    waiting.forEach((respond) => respond());
    waiting = [];
  };
  return {
    asked,
    answer,
    slowDown: () => (isSlow = true),
    isAsked: () => waiting.length > 0,
    stop: () => subscription.unsubscribe(),
  };
};

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
};

describe('forgetting in the memory of search', () => {
  it('ends at once if no search runs', async () => {
    await memories.forget([randomUUID()]);
    expect(warnings).toEqual([]);
  });

  it('names the chunks, and ends when every replica has answered', async () => {
    const replicas = [await replica(), await replica()] as const;
    await memories.forget([randomUUID()]);
    replicas.forEach(({ asked, slowDown }) => {
      expect(asked).toEqual([CHUNK_IDS]);
      slowDown();
    });
    let isDone = false;
    const forgetting = memories.forget([randomUUID()]).then(() => (isDone = true));
    await until(() => replicas.every(({ isAsked }) => isAsked()));
    replicas[0].answer();
    await search.flush();
    await nats.flush();
    expect(isDone).toBe(false);
    replicas[1].answer();
    await forgetting;
    replicas.forEach(({ stop }) => stop());
  });

  it('ends without a replica that does not answer', async () => {
    const [present, stalled] = [await replica(), await replica()];
    stalled.slowDown();
    await memories.forget([randomUUID()]);
    expect([present.asked, stalled.asked]).toEqual([[CHUNK_IDS], [CHUNK_IDS]]);
    [present, stalled].forEach(({ stop }) => stop());
  });

  it('does not stop a forgetting if the broker is unavailable', async () => {
    const closed = await broker.connect();
    await closed.close();
    const logger = { warn: (entry: object) => warnings.push(entry) };
    await new SearchMemories({ nats: closed, pool, logger }).forget([randomUUID()]);
    expect(warnings).toHaveLength(1);
  });
});
