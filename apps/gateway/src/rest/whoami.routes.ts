import { isWorkspaceAdmin } from '@cairn/contracts';
import { CallerAnswer } from './answer.schema.js';
import { defineRoute, type Route } from './route.js';

export const WHOAMI_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/whoami',
    access: 'read',
    summary: 'What the token of this request may do and see',
    status: 200,
    answer: CallerAnswer,
    handle: (_, { caller: { principal } }) => {
      const { tokenId, agentId, scopes, isUnscoped, folderIds, kbOnly, toolsets } = principal;
      const isAdmin = isWorkspaceAdmin(principal);
      return Promise.resolve({ tokenId, agentId, scopes, isAdmin, isUnscoped, folderIds, kbOnly, toolsets });
    },
  }),
];
