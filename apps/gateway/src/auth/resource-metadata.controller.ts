import type { IncomingMessage, ServerResponse } from 'node:http';
import { SCOPES } from '@cairn/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { sendJson } from '../rest/rest-error.js';
import { SERVER_INFO } from '../server-info.js';
import { originOf, RESOURCE_METADATA_PATH } from './challenge.js';

/** The metadata of the protected resource, which needs no token. */
@Controller()
export class ResourceMetadataController {
  /** RFC 9728. No authorization server: tokens are issued by an administrator over REST. */
  @Get(`${RESOURCE_METADATA_PATH}{/}`)
  resourceMetadata(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    sendJson(res, 200, {
      resource: `${originOf(req)}/mcp`,
      resource_name: SERVER_INFO.title,
      scopes_supported: SCOPES.filter((scope) => scope !== 'admin'),
      bearer_methods_supported: ['header'],
    });
  }
}
