import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import { McpEndpoint } from './mcp-endpoint.js';

/**
 * Routing is strict for the API, so the path with a trailing slash is listed here: some clients are configured with it.
 */
@Controller()
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @All('mcp{/}')
  serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.serve(req, res);
  }

  @All('mcp/sse{/}')
  openStream(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.openStream(req, res);
  }

  @All('mcp/messages{/}')
  postMessage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.postMessage(req, res);
  }
}
