import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface RoundRobinOptions {
  /** Added to every request, for a client that cannot send one. */
  readonly token?: string;
}

export interface RoundRobinProxy {
  readonly url: string;
  /** Answers that each target has given, in the order of the targets. */
  readonly answers: readonly number[];
  close(): Promise<void>;
}

interface Passed {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Buffer;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Resolves with false if nothing listens there, so the request can go to another target. */
const passTo = (target: string, { incoming, outgoing, body, headers }: Passed): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(target);
    const { method, url: path } = incoming;
    const passed = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      resolve(true);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve(false);
      // As a real proxy: what may have been executed is not sent again.
      if (!outgoing.headersSent) outgoing.writeHead(502).end();
      else outgoing.destroy();
      resolve(true);
    });
    // A client that disconnects also ends its stream at the target.
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  });

/**
 * A reverse proxy without affinity: each request goes to the next target, from whichever client it comes. Streams both ways and
 * copies every header, Host and Origin included.
 */
export const startRoundRobinProxy = async (
  targets: readonly string[],
  { token }: RoundRobinOptions = {},
): Promise<RoundRobinProxy> => {
  const answers = targets.map(() => 0);
  let turn = 0;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const headers = { ...incoming.headers, ...(token && { authorization: `Bearer ${token}` }) };
    const passed = { incoming, outgoing, body: await buffer(incoming), headers };
    for (const _ of targets) {
      const at = turn++ % targets.length;
      answers[at]!++;
      if (await passTo(targets[at]!, passed)) return;
      answers[at]!--;
    }
    outgoing.writeHead(502).end();
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, answers, close };
};
