import { Controller, Get, Header } from '@nestjs/common';
import { API_PREFIX } from './api-prefix.js';
import { docsPage } from './docs-page.js';
import { openApiDocument } from './openapi.js';

const DOCUMENT = openApiDocument();
const PAGE = docsPage(DOCUMENT);
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the API, public. */
@Controller(API_PREFIX)
export class OpenApiController {
  @Get('openapi.json{/}')
  json(): object {
    return DOCUMENT;
  }

  @Get('docs{/}')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  @Header('X-Frame-Options', 'DENY')
  page(): string {
    return PAGE;
  }
}
