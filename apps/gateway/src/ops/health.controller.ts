import type { IncomingMessage, ServerResponse } from 'node:http';
import { SCOPES } from '@cairn/contracts';
import { healthReply, Metrics, metricsReply, readyReply, type OpsReply } from '@cairn/observability';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { originOf, RESOURCE_METADATA_PATH } from '../auth/challenge.js';
import { sendJson } from '../rest/rest-error.js';
import { SERVER_INFO } from '../server-info.js';
import { ReadinessProbe } from './readiness.js';

const send = (res: ServerResponse, reply: OpsReply): void => {
  res.writeHead(reply.status, { 'content-type': reply.contentType, 'cache-control': 'no-store' }).end(reply.body);
};

/** Routes that need no token: liveness, readiness, metrics and the metadata of the protected resource. */
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: ReadinessProbe,
    private readonly metrics: Metrics,
  ) {}

  @Get('healthz{/}')
  health(@Res() res: ServerResponse): void {
    send(res, healthReply());
  }

  @Get('readyz{/}')
  async ready(@Res() res: ServerResponse): Promise<void> {
    send(res, await readyReply(() => this.readiness.check()));
  }

  @Get('metrics{/}')
  async metricsPage(@Res() res: ServerResponse): Promise<void> {
    send(res, await metricsReply(this.metrics));
  }

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
