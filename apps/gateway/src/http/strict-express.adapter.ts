import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { sendJson } from '../rest/rest-error.js';
import type { RestRequest } from '../rest/rest-request.js';
import { checkMediaType, readBody } from './read-body.js';
import { parseStrictJson } from './strict-json.js';
import { strictQuery } from './strict-query.js';

const readJson = async (req: RestRequest): Promise<unknown> => {
  checkMediaType(req);
  const { textsCheckedIn } = req;
  return parseStrictJson(await readBody(req), textsCheckedIn ? { textsCheckedIn } : {});
};

/**
 * `req.body` is a promise that is created when a handler asks for its `@Body`, and Nest awaits it. A body parser in its
 * usual place would read the bodies of callers that the guards are about to reject.
 */
const LAZY_BODY = {
  configurable: true,
  get(this: RestRequest): Promise<unknown> {
    return readJson(this);
  },
};

/**
 * `/items/` is an item with an empty id and not the list, and `/ITEMS` does not exist, so a proxy's rule for a path
 * covers everything that is served there. Express fixes its path matching when the first middleware is added, which
 * Nest's adapter does at once.
 */
const strictExpress = (): Express => {
  const app = express();
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting);
  Object.defineProperty(app.request, 'body', LAZY_BODY);
  return app.enable('strict routing').enable('case sensitive routing').set('query parser', strictQuery);
};

/** Nest on Express with exact paths and strict queries. A handler's result is sent like all other JSON. */
export class StrictExpressAdapter extends ExpressAdapter {
  constructor() {
    super(strictExpress());
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (typeof body !== 'object' || body === null) return super.reply(response, body, status);
    return sendJson(response, status ?? response.statusCode, body);
  }
}
