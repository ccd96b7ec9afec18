import { grantFor, mintToken } from '@cairn/auth';
import { filled, NAME_CHARS_MAX, PAGE_LIMIT_MAX, Slug, systemPrincipal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import { z } from 'zod';
import { pageOf, WorkspaceAnswer, WorkspaceCreatedAnswer } from './answer.schema.js';
import { pageQuery } from './common.schema.js';
import { secretWasShown, SHOWN_ONCE } from './issue-token.js';
import { defineRoute, type Route, type RouteContext } from './route.js';

const newWorkspace = z.strictObject({ slug: Slug, name: filled(NAME_CHARS_MAX) });

/**
 * Whether the workspace has been made by an earlier request under the same key: its admin token is another one then. A
 * list that is still empty is of a workspace that search has not seen yet, which is a new one.
 */
const wasMadeBefore = async (workspace: CairnPort, tokenId: string): Promise<boolean> => {
  const { items } = await workspace.query('tokens.list', { limit: PAGE_LIMIT_MAX });
  return items.length > 0 && !items.some(({ id }) => id === tokenId);
};

/** Under an Idempotency-Key the ids are the same each time, so that a repeat meets the workspace of the first time. */
const createWorkspace = async (body: z.output<typeof newWorkspace>, { as, newId, mayBeRepeat }: RouteContext) => {
  const workspaceId = newId('workspace');
  const tokenId = uuidV7();
  const { token, secretHash } = mintToken(tokenId);
  const workspace = as(systemPrincipal(workspaceId));
  const result = await workspace.command('workspace.create', {
    workspaceId,
    ...body,
    folderId: newId('folder'),
    adminToken: { tokenId, secretHash, ...grantFor({ name: 'admin', agentId: 'admin', scopes: ['admin'] }) },
    instanceAdmin: false,
  });
  if (mayBeRepeat && (await wasMadeBefore(workspace, tokenId))) throw secretWasShown();
  return { workspace: { id: workspaceId, ...body }, adminToken: token, position: result.position };
};

export const WORKSPACE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/workspaces',
    access: 'instance admin',
    summary: 'Create a workspace with its default folder and its admin token',
    note: SHOWN_ONCE,
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
