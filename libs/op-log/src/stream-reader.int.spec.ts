import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPLOG_STREAM } from '@cairn/contracts';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { TestNats } from '@cairn/testing';
import { jetstream } from '@nats-io/jetstream';
import { StreamReader } from './stream-reader.js';
import { ensureStreams } from './streams.js';

/** More than the 64 MB that the broker keeps for a connection before it drops it. */
const ENTRIES = 100;
const ENTRY_BYTES = 900_000;
const BUSY_MS = 2_000;

/** The event loop reads nothing from the connection meanwhile, as when a large batch is opened. */
const stayBusy = (): void => {
  for (const end = Date.now() + BUSY_MS; Date.now() < end;);
};

describe('a reader of large entries', () => {
  let server: TestNats;
  let nats: NatsConnection;

  beforeAll(async () => {
    server = await TestNats.start();
    nats = await connectNats({ url: server.url }, 'test');
    await ensureStreams(nats);
    const body = new Uint8Array(ENTRY_BYTES);
    for (let i = 0; i < ENTRIES; i++) await jetstream(nats).publish(`oplog.workspace.item`, body);
  }, 60_000);
  afterAll(async () => {
    await nats?.close();
    await server?.stop();
  });

  it('keeps its connection while it is busy, and reads every entry once', async () => {
    let reconnects = 0;
    void (async () => {
      for await (const { type } of nats.status()) if (type === 'disconnect' || type === 'reconnect') reconnects++;
    })();
    const reader = new StreamReader(nats, OPLOG_STREAM, 1, ({ position }) => {
      if (position === 1) stayBusy();
      return position;
    });
    const read: number[] = [];
    while (read.length < ENTRIES) read.push(...(await reader.next(10, 1_000)));
    await reader.close();

    expect(read).toEqual(Array.from({ length: ENTRIES }, (_, i) => i + 1));
    expect(reconnects).toBe(0);
  });
});
