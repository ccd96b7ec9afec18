import type { IncomingMessage, ServerResponse } from 'node:http';
import { asAppError } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { routeNotFound, sendRestError } from '../rest/rest-error.js';
import type { RestRequest } from '../rest/rest-request.js';
import { logRefusal } from './log-refusal.js';

/** Nest itself fails only on a path that is unknown or cannot be decoded. */
const isUnknownPath = (thrown: unknown): boolean => thrown instanceof HttpException && thrown.getStatus() < 500;

/** Answers every error in the same format. The message of an unexpected error stays in the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    /** Answers browsers with a page. Returns whether it did. */
    private readonly sendNotFoundPage: (req: IncomingMessage, res: ServerResponse) => boolean,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [req, res] = [http.getRequest<RestRequest>(), http.getResponse<ServerResponse>()];
    const isUnknown = isUnknownPath(thrown);
    if (isUnknown && this.sendNotFoundPage(req, res)) return;
    const error = isUnknown ? routeNotFound() : asAppError(thrown);
    const correlationId = req.correlationId ?? uuidV7();
    logRefusal(this.logger, error, correlationId);
    sendRestError(req, res, error, correlationId);
  }
}
