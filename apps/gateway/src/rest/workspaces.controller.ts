import { grantFor, mintToken } from '@cairn/auth';
import { filled, NAME_CHARS_MAX, PAGE_LIMIT_MAX, pageOf, Slug, systemPrincipal, WorkspaceView } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import { Body, Get, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { WorkspaceCreatedAnswer } from './answer.schema.js';
import { pageQuery } from './common.schema.js';
import { secretWasShown, SHOWN_ONCE } from './issue-token.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const newWorkspace = z.strictObject({ slug: Slug, name: filled(NAME_CHARS_MAX) });

/**
 * Whether an earlier request under the same key has created the workspace; its admin token then has another id. An
 * empty list belongs to a workspace that search has not seen yet, which is a new one.
 */
const wasMadeBefore = async (workspace: CairnPort, tokenId: string): Promise<boolean> => {
  const { items } = await workspace.query('tokens.list', { limit: PAGE_LIMIT_MAX });
  return items.length > 0 && !items.some(({ id }) => id === tokenId);
};

/** Under an Idempotency-Key the ids are the same each time, so a repeat finds the workspace of the first request. */
const createWorkspace = async (body: z.output<typeof newWorkspace>, call: RestCall) => {
  const workspaceId = call.newId('workspace');
  const tokenId = uuidV7();
  const { token, secretHash } = mintToken(tokenId);
  const workspace = call.as(systemPrincipal(workspaceId));
  const result = await workspace.command('workspace.create', {
    workspaceId,
    ...body,
    folderId: call.newId('folder'),
    adminToken: { tokenId, secretHash, ...grantFor({ name: 'admin', agentId: 'admin', scopes: ['admin'] }) },
    instanceAdmin: false,
  });
  if (call.mayBeRepeat && (await wasMadeBefore(workspace, tokenId))) throw secretWasShown();
  return { workspace: { id: workspaceId, ...body }, adminToken: token, position: result.position };
};

@RestController('workspaces', { access: 'instance admin' })
export class WorkspacesController {
  @Post()
  @Operation({
    summary: 'Create a workspace with its default folder and its admin token',
    answer: WorkspaceCreatedAnswer,
    ...SHOWN_ONCE,
  })
  create(@Body({ schema: newWorkspace }) body: z.output<typeof newWorkspace>, @Call() call: RestCall) {
    return createWorkspace(body, call);
  }

  @Get()
  @Operation({ summary: 'List the workspaces of this installation', answer: pageOf(WorkspaceView) })
  list(@Query({ schema: pageQuery }) page: z.output<typeof pageQuery>, @Call() { cairn }: RestCall) {
    return cairn.query('workspaces.list', page);
  }
}
