import { TOKEN_REVOKED_SUBJECT } from '@cairn/contracts';
import {
  decideConfigureFolder,
  decideCreateFolder,
  decideCreateWorkspace,
  decideIssueToken,
  decideRevokeToken,
  decideSetQuota,
} from '@cairn/domain';
import { at, type Command } from './command.js';

export const createWorkspace: Command<'workspace.create'> = {
  generatedFields: ['adminToken'],
  prepare: (request) => ({
    needs: { workspaceSlugs: [request.data.slug] },
    decide: (state, atMs) => decideCreateWorkspace(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ workspaceId: entityId, position }),
  }),
};

export const createFolder: Command<'folder.create'> = {
  prepare: (request) => ({
    needs: { folders: { ids: [request.data.folderId], slugs: [request.data.slug] } },
    decide: (state, atMs) => decideCreateFolder(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ folderId: entityId, position }),
  }),
};

export const configureFolder: Command<'folder.configure'> = {
  waitsForKeywordIndex: true,
  prepare: (request) => ({
    needs: { folders: { ids: [request.data.folderId], slugs: [] } },
    decide: (state, atMs) => decideConfigureFolder(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ folderId: entityId, position }),
  }),
};

export const issueToken: Command<'token.issue'> = {
  // A request without an expiry gets the default, counted from now.
  generatedFields: ['tokenId', 'secretHash', 'expiresAt'],
  prepare: (request) => ({
    needs: { tokenIds: [request.data.tokenId], folders: { ids: request.data.folderIds, slugs: [] } },
    decide: (state, atMs) => decideIssueToken(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ tokenId: entityId, position }),
  }),
};

export const revokeToken: Command<'token.revoke'> = {
  prepare: (request) => ({
    needs: { tokenIds: [request.data.tokenId] },
    decide: (state, atMs) => decideRevokeToken(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ tokenId: entityId, position }),
  }),
  // The library already has the revocation; this only saves the gateways the second until their next lookup.
  around: async (_, append, { nats }) => {
    const result = await append();
    if (!nats.isClosed()) nats.publish(TOKEN_REVOKED_SUBJECT, result.tokenId);
    return result;
  },
};

export const setQuota: Command<'quota.set'> = {
  prepare: (request) => ({
    needs: { quotas: true },
    decide: (state, atMs) => decideSetQuota(state, at(request, atMs)),
    answer: ({ position }) => ({ name: request.data.name, position }),
  }),
};
