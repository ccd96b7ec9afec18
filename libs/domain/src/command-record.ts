import type { Op } from '@cairn/contracts';
import type { CommandState } from './state.js';

/** The id of the thing that an op made or changed: a later repeat of its command answers with this id. */
const entityOf = (op: Op): string => {
  switch (op.type) {
    case 'workspace.created':
      return op.data.workspaceId;
    case 'folder.created':
    case 'folder.configured':
      return op.data.folderId;
    case 'token.issued':
    case 'token.revoked':
      return op.data.tokenId;
    case 'item.stored':
    case 'item.extended':
    case 'item.placed':
    case 'item.superseded':
      return op.data.itemId;
    case 'confirmation.requested':
    case 'confirmation.discarded':
    case 'confirmation.restored':
    case 'confirmation.resolved':
      return op.data.confirmationId;
    case 'chunk.corrected':
    case 'edge.observed':
    case 'edge.reviewed':
      return op.data.chunkId;
    case 'entity.merged':
    case 'entity.split':
      return op.data.mergeId;
    case 'item.forgotten':
    case 'chunk.forgotten':
    case 'receipt.issued':
      return op.data.receiptId;
    case 'server.registered':
    case 'server.configured':
    case 'server.removed':
      return op.data.serverId;
    case 'link.added':
      return op.data.links[0]!.linkId;
    case 'link.removed':
      return op.data.linkIds[0]!;
    case 'connector.connected':
    case 'connector.configured':
    case 'connector.disconnected':
      return op.data.accountId;
    case 'quota.set':
      return op.workspace;
  }
};

/** The record of a command that is kept forever, made from its first op; later ops only advance the position. */
export const commandRecord = (op: Op): CommandState => ({
  position: op.position,
  entityId: entityOf(op),
  type: op.type,
  tokenId: op.actor.tokenId,
  payloadHash: op.payloadHash ?? null,
});
