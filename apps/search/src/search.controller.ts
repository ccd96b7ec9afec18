import { querySubject, SEARCH_QUERIES } from '@cairn/contracts';
import { queryEndpoints, Responder, type Endpoints } from '@cairn/messaging';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import type { Readers } from './readers.js';
import { searchHandlers } from './search.handlers.js';
import { READERS } from './search.providers.js';

@Controller()
export class SearchController {
  private readonly endpoints: Endpoints;

  constructor(
    @Inject(READERS) readers: Readers,
    private readonly responder: Responder,
  ) {
    this.endpoints = queryEndpoints(SEARCH_QUERIES, searchHandlers(readers), (type) =>
      // Readiness reports a closed fence, so it is not behind it.
      type === 'search.check' ? undefined : readers.fence.check(),
    );
  }

  @MessagePattern(SEARCH_QUERIES.map(({ type }) => querySubject(type)))
  answer(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    return this.responder.answer(this.endpoints, context.getSubject(), bytes);
  }
}
