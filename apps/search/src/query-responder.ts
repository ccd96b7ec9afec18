import { ERROR_TABLE, fail, isWorkspaceAdmin, type QueryDefinition } from '@cairn/contracts';
import { respond, type ParsedRequest } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { SearchService } from './search.service.js';

/** What every query handler does around its one call: parse, measure, answer, log a failure. */
@Injectable()
export class QueryResponder {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly service: SearchService,
  ) {}

  async answer<S extends z.ZodType, R>(
    query: QueryDefinition<string, S, R>,
    bytes: Uint8Array,
    handle: (request: ParsedRequest<z.infer<S>>) => Promise<R>,
  ): Promise<string> {
    const { type } = query;
    const end = this.metrics.querySeconds.startTimer({ type });
    let outcome = 'ok';
    const fenced = async (request: ParsedRequest<z.infer<S>>): Promise<R> => {
      await this.service.fence.check();
      return handle(request);
    };
    const reply = await respond(bytes, query.schema, fenced, (error, { correlationId }) => {
      outcome = error.kind;
      const line = { type, code: error.code, correlationId, err: error.cause };
      this.logger[ERROR_TABLE[error.kind].logLevel](line, error.message);
    });
    end({ outcome });
    return reply;
  }

  /** The gateway asks first; this is the second fence. What an admin sees is of every folder. */
  answerAdmin<S extends z.ZodType, R>(
    query: QueryDefinition<string, S, R>,
    bytes: Uint8Array,
    handle: (request: ParsedRequest<z.infer<S>>) => Promise<R>,
  ): Promise<string> {
    return this.answer(query, bytes, (request) => {
      if (!isWorkspaceAdmin(request.principal)) {
        throw fail('scope.missing', 'this needs the scope admin, for the whole workspace');
      }
      return handle(request);
    });
  }
}
