import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { noticeSubject, STREAM_UNREAD_BYTES_MAX, STREAMS_PER_TOKEN_MAX } from '@cairn/contracts';
import type { CairnPort } from '@cairn/mcp-tools';
import type { NatsConnection } from '@cairn/messaging';
import { OpenStreams } from '../http/open-streams.js';
import { EventStreams } from './event-stream.js';

const ID = '0190a1b2-c3d4-7e5f-8a9b-000000000001';

class FakeResponse extends EventEmitter {
  written = '';
  status = 0;
  writableLength = 0;
  headersSent = false;
  writableEnded = false;
  destroyed = false;

  writeHead(status: number): this {
    this.status = status;
    this.headersSent = true;
    return this;
  }

  write(text: string): boolean {
    this.written += text;
    return true;
  }

  end(): void {
    this.writableEnded = true;
    this.emit('close');
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const broker = () => {
  const callbacks = new Map<string, Set<(error: null, message: { string(): string }) => void>>();
  const nats = {
    subscribe: (subject: string, { callback }: { callback: never }) => {
      const own = callbacks.get(subject) ?? new Set();
      callbacks.set(subject, own.add(callback));
      return { unsubscribe: () => void own.delete(callback) };
    },
    flush: () => Promise.resolve(),
  } as unknown as NatsConnection;
  const tell = (text: string): void =>
    callbacks.get(noticeSubject(ID))?.forEach((say) => say(null, { string: () => text }));
  const listeners = (): number => callbacks.get(noticeSubject(ID))?.size ?? 0;
  return { nats, tell, listeners };
};

const NOTICE = JSON.stringify({ about: 'confirmation', id: ID, status: 'pending', position: 42 });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('an open stream of events', () => {
  let lagOps = 0;
  const cairn = {
    query: () =>
      Promise.resolve({
        items: [{ name: 'library', version: 1, stream: 'OPLOG', checkpoint: 1, head: 1, lagOps, lagSeconds: 0 }],
      }),
  } as unknown as CairnPort;
  const opened = async () => {
    const parts = broker();
    const streams = new EventStreams(parts.nats, new OpenStreams());
    const listener = { workspaceId: ID, tokenId: ID, cairn };
    const open = async (): Promise<FakeResponse> => {
      const res = new FakeResponse();
      await streams.serve(res as unknown as ServerResponse, listener);
      return res;
    };
    return { ...parts, streams, open, res: await open() };
  };

  it('writes each notice with its position, and skips unknown ones', async () => {
    const { res, tell } = await opened();
    for (const text of ['{', '{"about":"weather"}', NOTICE]) tell(text);
    expect(res.status).toBe(200);
    expect(res.written).toContain(`event: confirmation\nid: 42\ndata: {"id":"${ID}","status":"pending"}\n\n`);
    expect(res.written).not.toContain('weather');
  });

  it('is kept alive, and reports the lag only when it changes', async () => {
    const { res } = await opened();
    const reports = () => res.written.split('event: projection').length - 1;
    await jest.advanceTimersByTimeAsync(16_000);
    expect([reports(), res.written.split(': keepalive').length - 1]).toEqual([1, 2]);
    lagOps = 3;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reports()).toBe(2);
  });

  it('is cut when its client stops reading', async () => {
    const { res, tell, listeners } = await opened();
    res.writableLength = STREAM_UNREAD_BYTES_MAX + 1;
    tell(NOTICE);
    expect([res.destroyed, listeners()]).toEqual([true, 0]);
  });

  it('releases everything when it ends, including its place', async () => {
    const { res, open, streams, listeners } = await opened();
    const others = await Promise.all(Array.from({ length: STREAMS_PER_TOKEN_MAX - 1 }, open));
    await expect(open()).rejects.toMatchObject({ code: 'busy' });
    res.end();
    const written = res.written;
    others.push(await open());
    expect(listeners()).toBe(STREAMS_PER_TOKEN_MAX);
    streams.closeAll();
    expect([listeners(), jest.getTimerCount()]).toEqual([0, 0]);
    expect([others.every(({ writableEnded }) => writableEnded), res.written]).toEqual([true, written]);
  });
});
