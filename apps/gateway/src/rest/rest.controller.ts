import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Get, Req, Res } from '@nestjs/common';
import { docsPage } from './docs-page.js';
import { openApiDocument } from './openapi.js';
import { sendJson } from './rest-error.js';
import { RestEndpoint } from './rest-endpoint.js';

const DOCUMENT = openApiDocument();
const PAGE = docsPage(DOCUMENT);

@Controller('api/v1')
export class RestController {
  constructor(private readonly endpoint: RestEndpoint) {}

  @Get('openapi.json')
  openApi(@Res() res: ServerResponse): void {
    sendJson(res, 200, DOCUMENT);
  }

  @Get('docs')
  docs(@Res() res: ServerResponse): void {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    };
    res.writeHead(200, headers).end(PAGE);
  }

  /** Routes are values in a table, matched by the endpoint: one place says what exists, and the document shows it. */
  @All('{*path}')
  serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.endpoint.serve(req, res);
  }
}
