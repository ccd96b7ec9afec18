import { createServer } from 'node:net';

/** A TCP port of this machine that no process listens on now. Another process can still take it before it is used. */
export const freePort = (host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });

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
