import { CommitFields } from '@cairn/contracts';
import {
  commitLinks,
  decideCommitItem,
  linkingCommit,
  observedEvents,
  type CommitPart,
  type Committed,
} from '@cairn/domain';
import { stateInChunks } from './cairn-graph.fake.js';
import type { Prepare } from './cairn-prepare.fake.js';
import { linkIdOf } from './cairn-links.fake.js';
import { sealItem } from './cairn-seal.fake.js';

export const commit: Prepare<'item.commit'> = (
  { id: commandId, principal, data: { folderName, text, extra } },
  { workspace },
) => {
  const item = sealItem(
    {
      text,
      kind: 'commit',
      inKb: true,
      tags: [],
      source: { kind: 'agent' },
      surface: 'mcp',
      confidence: 80,
      expiresAt: null,
    },
    { extra },
  );
  const edges = extra === undefined ? [] : (CommitFields.parse(extra).edges ?? []);
  const parts = stateInChunks(edges, item.chunks, 'agent', 'extra.edges');
  const states: CommitPart = (_, { folder }) =>
    observedEvents({ origin: 'agent', parts }, { itemId: item.itemId, folderId: folder.id });
  const links = linkingCommit(commitLinks(extra, item.itemId, (link) => linkIdOf(workspace, link)));
  return {
    decide: (state, atMs) =>
      decideCommitItem(state, { commandId, principal, atMs, data: { item, folderName, parts: [states, links] } }),
    answer: (decision, position) => {
      const { folder } = decision as Committed;
      const chunkCount = item.chunks.length;
      return { itemId: item.itemId, folderId: folder.id, folderName: folder.name, chunkCount, position };
    },
  };
};
