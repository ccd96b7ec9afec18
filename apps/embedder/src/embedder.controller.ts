import { EMBEDDER_QUERIES, querySubject } from '@cairn/contracts';
import { queryEndpoints, Responder, WHEN_READY, type Endpoints } from '@cairn/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import { EmbedderService } from './embedder.service.js';

const NEEDS_MODEL = 'query.embed';

const subjectsOf = (isWanted: (type: string) => boolean): string[] =>
  EMBEDDER_QUERIES.filter(({ type }) => isWanted(type)).map(({ type }) => querySubject(type));

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

  @MessagePattern(subjectsOf((type) => type !== NEEDS_MODEL))
  answer(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    return this.responder.answer(this.endpoints, context.getSubject(), bytes);
  }

  /** A replica without a model would fail what another one can answer. */
  @MessagePattern(subjectsOf((type) => type === NEEDS_MODEL), WHEN_READY)
  embed(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    return this.answer(bytes, context);
  }
}
