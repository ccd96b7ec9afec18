import type { LoggedCommandType } from '@cairn/contracts';
import { configureAccount, connectAccount, disconnectAccount } from './account.commands.js';
import type { Command } from './command.js';
import { commitItem } from './commit.commands.js';
import { correctChunk } from './correct-chunk.commands.js';
import { observeEdges, reviewEdge } from './edge.commands.js';
import { mergeEntities, splitEntities } from './entity.commands.js';
import { forgetChunk, forgetItem, issueReceipt } from './forget.commands.js';
import { storeItem, supersedeItem } from './item.commands.js';
import { attachItem } from './attach.commands.js';
import { addLinks, removeLink } from './link.commands.js';
import { rememberItem, resolveConfirmation } from './memory.commands.js';
import { configureServer, pinServer, registerServer, removeServer } from './server.commands.js';
import { importObservations, purgeObservations } from './series.commands.js';
import { syncItem } from './sync.commands.js';
import { updateItem } from './update-item.commands.js';
import {
  configureFolder,
  createFolder,
  createWorkspace,
  issueToken,
  revokeToken,
  setQuota,
} from './workspace.commands.js';

export const COMMAND_TABLE: { readonly [T in LoggedCommandType]: Command<T> } = {
  'workspace.create': createWorkspace,
  'folder.create': createFolder,
  'folder.configure': configureFolder,
  'token.issue': issueToken,
  'token.revoke': revokeToken,
  'item.store': storeItem,
  'item.update': updateItem,
  'item.supersede': supersedeItem,
  'quota.set': setQuota,
  'chunk.correct': correctChunk,
  'item.remember': rememberItem,
  'item.commit': commitItem,
  'confirmation.resolve': resolveConfirmation,
  'item.forget': forgetItem,
  'chunk.forget': forgetChunk,
  'account.connect': connectAccount,
  'account.configure': configureAccount,
  'account.disconnect': disconnectAccount,
  'observations.import': importObservations,
  'observations.purge': purgeObservations,
  'item.sync': syncItem,
  'receipt.issue': issueReceipt,
  'server.register': registerServer,
  'server.configure': configureServer,
  'server.remove': removeServer,
  'server.pin': pinServer,
  'link.add': addLinks,
  'item.attach': attachItem,
  'link.remove': removeLink,
  'edge.observe': observeEdges,
  'edge.review': reviewEdge,
  'entity.merge': mergeEntities,
  'entity.split': splitEntities,
};
