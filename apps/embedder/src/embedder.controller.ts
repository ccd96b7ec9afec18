import { EMBEDDER_QUERIES, querySubject } from '@cairn/contracts';
import { queryEndpoints, Responder, type Endpoints } from '@cairn/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import { EmbedderService } from './embedder.service.js';

@Controller()
export class EmbedderController {
  private readonly endpoints: Endpoints;

  constructor(
    embedder: EmbedderService,
    private readonly responder: Responder,
  ) {
    this.endpoints = queryEndpoints(EMBEDDER_QUERIES, {
      'query.embed': ({ data }) => embedder.embedQuery(data.text),
      'embedder.get': () => embedder.view(),
      'embedder.check': () => embedder.check(),
    });
  }

  @MessagePattern(EMBEDDER_QUERIES.map(({ type }) => querySubject(type)))
  answer(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    return this.responder.answer(this.endpoints, context.getSubject(), bytes);
  }
}
