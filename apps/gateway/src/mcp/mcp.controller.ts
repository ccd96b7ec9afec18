import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import { McpEndpoint } from './mcp-endpoint.js';

@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @All()
  serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.serve(req, res);
  }

  @All('sse')
  openStream(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.openStream(req, res);
  }

  @All('messages')
  postMessage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.postMessage(req, res);
  }
}
