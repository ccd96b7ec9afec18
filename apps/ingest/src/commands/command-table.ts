import type { LoggedCommandType } from '@cairn/contracts';
import type { Command } from './command.js';
import { correctChunk } from './correct-chunk.commands.js';
import { forgetChunk, forgetItem, issueReceipt } from './forget.commands.js';
import { storeItem, supersedeItem } from './item.commands.js';
import { rememberItem, resolveConfirmation } from './memory.commands.js';
import { configureServer, pinServer, registerServer, removeServer } from './server.commands.js';
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
  'confirmation.resolve': resolveConfirmation,
  'item.forget': forgetItem,
  'chunk.forget': forgetChunk,
  'receipt.issue': issueReceipt,
  'server.register': registerServer,
  'server.configure': configureServer,
  'server.remove': removeServer,
  'server.pin': pinServer,
};
