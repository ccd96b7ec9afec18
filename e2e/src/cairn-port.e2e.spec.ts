import { afterAll, beforeAll } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import { describeCairn } from '@cairn/mcp-tools/testing';
import { connectNats, natsAccess, Requester, type NatsConnection } from '@cairn/messaging';
import { underTest } from './under-test.js';

let nats: NatsConnection;
let requester: Requester;
/** The last position that any caller wrote, so each caller reads the writes of the others. */
let written = 0;

beforeAll(async () => {
  nats = await connectNats(natsAccess(underTest.envs.cli), 'cli');
  requester = new Requester(nats);
});
afterAll(() => nats.close());

describeCairn('the running product', (principal): CairnPort => {
  const context = () => ({ principal, correlationId: 'contract', id: uuidV7() });
  return {
    command: async (type, data) => {
      const result = await requester.command(type, data, context());
      if ('position' in result) written = Math.max(written, result.position);
      return result;
    },
    query: (type, data) => requester.query(type, data, { ...context(), atLeast: written }),
  };
});
