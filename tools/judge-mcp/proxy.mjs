// The conformance suite cannot send a token: this stands in front of the gateway, adds one, and leaves the rest as it is.
import { createServer, request } from 'node:http';

/** @import { AddressInfo } from 'node:net' */
/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Streams both ways; every header but Authorization is copied, Host and Origin too.
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
  // A client that hangs up ends its stream in the gateway too.
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
  // `localhost` and not the address: the scenario about DNS rebinding insists on it.
  return { url: `http://localhost:${port}`, close };
};
