import type { IncomingMessage, ServerResponse } from 'node:http';
import { asAppError } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { sendRestError } from '../rest/rest-error.js';
import { routeNotFound } from '../rest/route-table.js';

/** Whatever no endpoint answered: an unknown path, or a bug. The words of an exception stay in the log. */
@Catch()
export class CatchAllFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    /** Answers whoever would rather have a page, and says whether it did. */
    private readonly sendNotFoundPage: (req: IncomingMessage, res: ServerResponse) => boolean,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [req, res] = [http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>()];
    const correlationId = uuidV7();
    const isUnknownPath = thrown instanceof HttpException && thrown.getStatus() < 500;
    if (!isUnknownPath) this.logger.error({ correlationId, err: thrown }, 'a request failed');
    else if (this.sendNotFoundPage(req, res)) return;
    const error = isUnknownPath ? routeNotFound() : asAppError(thrown);
    sendRestError(req, res, error, correlationId);
  }
}
