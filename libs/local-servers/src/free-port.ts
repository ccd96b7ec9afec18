import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below those that operating systems give to outgoing connections and to servers without a fixed port (from 32768
 * on Linux, 49152 elsewhere), so that neither takes one between the choice and its use, or while its server restarts.
 */
const FIRST_PORT = 20_000;
const PORT_AFTER_LAST = 32_768;
const CHOICES_MAX = 100;

/** Ports that this process has tried already: a server may start on one later than the next is chosen. */
const chosen = new Set<number>();

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });

/** A TCP port of this machine that no process listens on now. Another process can still take it before it is used. */
export const freePort = async (host = '127.0.0.1'): Promise<number> => {
  for (let choice = 1; choice <= CHOICES_MAX; choice++) {
    const port = randomInt(FIRST_PORT, PORT_AFTER_LAST);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (await isFree(port, host)) return port;
  }
  throw new Error(`None of ${CHOICES_MAX} ports between ${FIRST_PORT} and ${PORT_AFTER_LAST} on ${host} is free.`);
};

const PORT_TAKEN = /address already in use|EADDRINUSE|Address in use|BindHttpException|BindTransportException/i;
const ATTEMPTS_MAX = 4;

/**
 * Starts a server on `wanted`, or on a free port when that is 0 or absent. Another process may take a free port before the
 * server listens on it, so another free port is tried; a port that the caller named is not.
 */
export const onPort = async <T>(wanted: number | undefined, start: (port: number) => Promise<T>): Promise<T> => {
  if (wanted) return start(wanted);
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !(error instanceof Error) || !PORT_TAKEN.test(error.message)) throw error;
    }
  }
};
