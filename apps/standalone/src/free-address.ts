import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenProblem } from '@cairn/gateway';

/**
 * Checked before anything is created or started, because a failure at the end of a first start would leave it half
 * done.
 */
export const assertFreeAddress = async (host: string, port: number): Promise<void> => {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (thrown) {
    throw listenProblem(host, port, thrown);
  }
  await new Promise((resolve) => server.close(resolve));
};
