import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pinnedFetch } from './pinned-fetch.js';

const BYTES_MAX = 100;
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

/** Sends each part only after the one before it has arrived, so that each is a chunk of its own; returns what arrived. */
const received = async (parts: readonly string[]): Promise<string> => {
  let stream: ServerResponse | undefined;
  const server = createServer((_, response) => {
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    stream.flushHeaders();
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { body } = await pinnedFetch({ origin, localOrigins: [origin], bytesMax: BYTES_MAX })(origin);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  for (const part of parts) {
    stream!.write(part);
    for (const end = text.length + part.length; text.length < end;)
      text += Buffer.from((await reader.read()).value!).toString();
  }
  return text;
};

describe('a stream of events', () => {
  const data = `data: ${'x'.repeat(50)}`;

  it.each([
    ['in one chunk with its event', [`${data}\n\n`]],
    ['in a chunk of its own', [`${data}\n`, '\n']],
    ['in a chunk of its own, after a carriage return', [`${data}\r\n`, '\r\n']],
    ['cut in two', [`${data}\r\n\r`, '\n']],
    ['cut in three', [`${data}\r\n`, '\r', '\n']],
    ['in a chunk with the next event', [`${data}\n`, `\n${data}\n`, '\n']],
  ])('may be longer than its events may be, with the empty line %s', async (_, event) => {
    const parts = Array.from({ length: 10 }, () => event).flat();
    expect(await received(parts)).toBe(parts.join(''));
  });

  it('is cut off at an event that is too large, in however many chunks it comes', async () => {
    const parts = [`${data}\n`, '\n', ...Array.from({ length: 10 }, () => `${data}\n`)];
    await expect(received(parts)).rejects.toMatchObject({ code: 'url.too_large', details: { limit: BYTES_MAX } });
  });
});
