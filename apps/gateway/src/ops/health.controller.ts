import type { ServerResponse } from 'node:http';
import { healthReply, Metrics, metricsReply, readyReply, type OpsReply } from '@cairn/observability';
import { Controller, Get, Res } from '@nestjs/common';
import { ReadinessProbe } from './readiness.js';

const send = (res: ServerResponse, reply: OpsReply): void => {
  res.writeHead(reply.status, { 'content-type': reply.contentType, 'cache-control': 'no-store' }).end(reply.body);
};

/**
 * Liveness, readiness and metrics, without a token. Only a standalone on a loopback address has them on its own port;
 * elsewhere they are on the ops port, out of the clients' reach.
 */
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
}
