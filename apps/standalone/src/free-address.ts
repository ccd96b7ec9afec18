import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from '@cairn/kernel';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there already',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** Asked before anything is made or started: a start that fails at its very end would leave a half-told first start. */
export const assertFreeAddress = async (host: string, port: number): Promise<void> => {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (thrown) {
    const reason = REASONS[(thrown as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw thrown;
    throw new ConfigError(
      `Cairn cannot listen on ${host}:${port}: ${reason}. Set CAIRN_PORT to another port (0 picks a free one), or CAIRN_HOST.`,
    );
  }
  await new Promise((resolve) => server.close(resolve));
};
