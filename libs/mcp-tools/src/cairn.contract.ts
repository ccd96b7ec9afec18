import { describe } from '@jest/globals';
import { describeAccess } from './cairn-access.contract.js';
import { describeAccounts } from './cairn-accounts.contract.js';
import { describeAttach } from './cairn-attach.contract.js';
import { describeClaims } from './cairn-claims.contract.js';
import { describeGraph } from './cairn-graph.contract.js';
import { describeItems } from './cairn-items.contract.js';
import { describeLinks } from './cairn-links.contract.js';
import { describeMemory } from './cairn-memory.contract.js';
import { describeServers } from './cairn-servers.contract.js';
import { describeMetadata } from './cairn-metadata.contract.js';
import { describeRoute } from './cairn-route.contract.js';
import { describeSeries } from './cairn-series.contract.js';
import { describeWalk } from './cairn-walk.contract.js';
import type { OpenCairn } from './cairn-workspace.builder.js';

/** The contract that the tools and the gateway rely on; run on the in-memory Cairn and on the product. */
export const describeCairn = (name: string, open: OpenCairn): void => {
  describe(`${name} keeps the contract of Cairn`, () => {
    describeItems(open);
    describeMemory(open);
    describeLinks(open);
    describeWalk(open);
    describeAttach(open);
    describeGraph(open);
    describeAccess(open);
    describeServers(open);
    describeMetadata(open);
    describeClaims(open);
    describeRoute(open);
    describeSeries(open);
    describeAccounts(open);
  });
};
