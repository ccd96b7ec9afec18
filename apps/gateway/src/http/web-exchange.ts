import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';

const headersOf = (req: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string') headers.append(name, value);
    else value?.forEach((single) => headers.append(name, single));
  }
  // The credential ends here: nothing behind this point needs it.
  headers.delete('authorization');
  return headers;
};

/**
 * The part of the request that the SDKs read: they receive the parsed body separately and never read it here. A real
 * `Request` costs several times as much on every call.
 */
export const toWebRequest = (req: IncomingMessage, signal: AbortSignal): Request => {
  const parts: Pick<Request, 'method' | 'url' | 'headers' | 'signal'> = {
    method: req.method ?? 'GET',
    url: `http://${req.headers.host ?? 'localhost'}${req.url ?? '/'}`,
    headers: headersOf(req),
    signal,
  };
  return parts as Request;
};

/** Aborts when the client disconnects before its answer is complete. */
export const abortOnHangUp = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableEnded) controller.abort();
  });
  return controller.signal;
};

/** Whether a connection is kept is Node's decision, and it ends while the gateway stops. */
const answerHeaders = ({ headers }: Response): Record<string, string> => {
  const { connection: _, ...rest } = Object.fromEntries(headers);
  return rest;
};

export const sendWebResponse = async (res: ServerResponse, response: Response): Promise<void> => {
  res.writeHead(response.status, answerHeaders(response));
  if (!response.body) {
    res.end();
    return;
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream) await pump(res, response.body);
  else res.end(Buffer.from(await response.arrayBuffer()));
};

/**
 * Writes events as they arrive. All events of one turn leave in one write: a typical stream is a single event and its
 * end. A stream without a request (GET) sends its headers at once, because its first event may take hours.
 */
const pump = async (res: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> => {
  const reader = body.getReader();
  const hangUp = (): void => void reader.cancel().catch(() => undefined);
  res.once('close', hangUp);
  if (res.req.method === 'GET') res.flushHeaders();
  for (let part = await reader.read(); !part.done;) {
    const next = reader.read();
    res.cork();
    const isFull = !res.write(part.value);
    process.nextTick(() => res.uncork());
    if (isFull && !res.destroyed) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    part = await next;
  }
  res.off('close', hangUp);
  res.end();
};
