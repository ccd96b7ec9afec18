import { isWorkspaceAdmin } from '@cairn/contracts';
import { Get } from '@nestjs/common';
import { CallerAnswer } from './answer.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('whoami', { access: 'read' })
export class WhoamiController {
  @Get()
  @Operation({ summary: 'What the token of this request may do and see', answer: CallerAnswer })
  async show(@Call() { principal, counted }: RestCall) {
    await counted;
    const { tokenId, agentId, scopes, isUnscoped, folderIds, kbOnly, toolsets } = principal;
    const isAdmin = isWorkspaceAdmin(principal);
    return { tokenId, agentId, scopes, isAdmin, isUnscoped, folderIds, kbOnly, toolsets };
  }
}
