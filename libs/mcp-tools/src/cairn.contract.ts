import { describe } from '@jest/globals';
import { describeAccess } from './cairn-access.contract.js';
import { describeItems } from './cairn-items.contract.js';
import { describeMemory } from './cairn-memory.contract.js';
import { describeServers } from './cairn-servers.contract.js';
import type { OpenCairn } from './cairn-workspace.builder.js';

/** What the tools and the gateway rely on; run on the in-memory Cairn and on the product. */
export const describeCairn = (name: string, open: OpenCairn): void => {
  describe(`${name} keeps the contract of Cairn`, () => {
    describeItems(open);
    describeMemory(open);
    describeAccess(open);
    describeServers(open);
  });
};
