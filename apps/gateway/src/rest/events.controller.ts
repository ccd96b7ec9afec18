import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { TokenWatch } from '../auth/token-watch.js';
import { EventStreams } from './event-stream.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('events', { access: 'admin' })
export class EventsController {
  constructor(
    private readonly events: EventStreams,
    private readonly watch: TokenWatch,
  ) {}

  @Get()
  @Operation({
    summary: 'Follow what happens in the workspace, as server-sent events',
    note: 'Events: confirmation {id, status}, source {itemId, type}, server {id, type}, projection {items}; id is the position in the op-log. What is missed is not sent again: ask for the lists after a reconnect.',
    isStream: true,
  })
  async follow(@Res() res: Response, @Call() { caller, cairn }: RestCall): Promise<void> {
    if (res.destroyed) return;
    // A stream outlives its authentication, and ends with its token.
    const stopWatching = this.watch.hold(caller, () => void res.end());
    res.once('close', stopWatching);
    const { workspaceId, tokenId } = caller.principal;
    await this.events.serve(res, { workspaceId, tokenId, cairn });
  }
}
