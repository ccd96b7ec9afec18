import { mintToken } from '@cairn/auth';
import { NAME_CHARS_MAX, Slug, systemPrincipal, text, TOOLSETS } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { z } from 'zod';
import { pageOf, WorkspaceAnswer, WorkspaceCreatedAnswer } from './answer.schema.js';
import { pageQuery } from './common.schema.js';
import { defaultExpiry, refuseReplayedSecret } from './issue-token.js';
import { defineRoute, type Route, type RouteContext } from './route.js';

const newWorkspace = z.strictObject({ slug: Slug, name: text(1, NAME_CHARS_MAX) });

const createWorkspace = async (body: z.output<typeof newWorkspace>, { as }: RouteContext) => {
  const workspaceId = uuidV7();
  const tokenId = uuidV7();
  const { token, secretHash } = mintToken(tokenId);
  const result = await as(systemPrincipal(workspaceId)).command('workspace.create', {
    workspaceId,
    ...body,
    folderId: uuidV7(),
    adminToken: {
      tokenId,
      secretHash,
      name: 'admin',
      agentId: 'admin',
      scopes: ['admin'],
      isUnscoped: true,
      folderIds: [],
      kbOnly: false,
      toolsets: [...TOOLSETS],
      rateLimitPerHour: null,
      expiresAt: defaultExpiry(),
    },
    instanceAdmin: false,
  });
  refuseReplayedSecret(result.workspaceId, workspaceId);
  return { workspace: { id: workspaceId, ...body }, adminToken: token, position: result.position };
};

export const WORKSPACE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/workspaces',
    access: 'instance admin',
    summary: 'Create a workspace with its default folder and its admin token',
    body: newWorkspace,
    status: 201,
    answer: WorkspaceCreatedAnswer,
    handle: ({ body }, context) => createWorkspace(body, context),
  }),
  defineRoute({
    method: 'GET',
    path: '/workspaces',
    access: 'instance admin',
    summary: 'List the workspaces of this installation',
    query: pageQuery,
    status: 200,
    answer: pageOf(WorkspaceAnswer),
    handle: ({ query }, { cairn }) => cairn.query('workspaces.list', query),
  }),
];
