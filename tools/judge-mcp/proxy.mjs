// The conformance suite cannot send a token, so this proxy in front of the gateway adds one and leaves everything else
// unchanged.
import { createServer, request } from 'node:http';

/** @import { AddressInfo } from 'node:net' */
/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Streams both ways and copies every header except Authorization, including Host and Origin.
 * @param {string} target @param {string} token @param {IncomingMessage} incoming @param {ServerResponse} outgoing
 */
const forward = (target, token, incoming, outgoing) => {
  const { hostname, port } = new URL(target);
  const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
  const passedOn = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  passedOn.on('error', () => outgoing.destroy());
  // A client that disconnects also ends its stream in the gateway.
  outgoing.on('close', () => passedOn.destroy());
  incoming.pipe(passedOn);
};

/** @param {string} target @param {string} token */
export const startProxy = async (target, token) => {
  const server = createServer((incoming, outgoing) => forward(target, token, incoming, outgoing));
  /** @type {Promise<void>} */
  const listening = new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  await listening;
  const { port } = /** @type {AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  // `localhost` instead of the address: the scenario about DNS rebinding requires it.
  return { url: `http://localhost:${port}`, close };
};
