import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, httpStatusOf } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { bearerChallenge } from '../auth/challenge.js';
import { setRetryAfter } from '../http/retry-after.js';

/** The same for a route that does not exist and one outside the token's scopes, so that a token learns of no others. */
export const routeNotFound = () => fail('route.not_found', 'this route does not exist, or this token may not use it');

export const errorBody = (error: AppError, correlationId: string) => {
  const { field, limit } = error.details;
  const message = error.kind === 'defect' ? 'something went wrong inside Cairn' : error.message;
  return { error: { code: error.code, message, field, limit, correlationId } };
};

/** The format of every error below /api/v1, and of every answer without a format of its own. */
export const sendRestError = (
  req: IncomingMessage,
  res: ServerResponse,
  error: AppError,
  correlationId: string,
): void => {
  if (res.headersSent) return void res.end();
  const status = httpStatusOf(error);
  const { allowed } = error.details;
  if (status === 401) {
    res.setHeader(
      'WWW-Authenticate',
      bearerChallenge(req, error.code === 'auth.invalid' ? 'invalid_token' : undefined),
    );
  }
  if (status === 405 && typeof allowed === 'string') res.setHeader('Allow', allowed);
  setRetryAfter(res, error);
  sendJson(res, status, errorBody(error, correlationId));
};

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  res.writeHead(status, headers).end(JSON.stringify(body));
};
