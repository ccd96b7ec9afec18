import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/**
 * Sends the statements issued inside `send` as one packet. By default the driver writes each of them to the socket
 * separately, and a transaction of a dozen statements would wake the other end a dozen times.
 */
export const inOnePiece = (client: PoolClient, send: () => void): void => {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.cork();
  try {
    send();
  } finally {
    stream.uncork();
  }
};
