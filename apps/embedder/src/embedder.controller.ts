import { CheckEmbedder, EmbedQuery, ERROR_TABLE, GetEmbedder, querySubject } from '@cairn/contracts';
import { respond, type FailureListener } from '@cairn/messaging';
import { LOGGER, type Logger } from '@cairn/observability';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { EmbedderService } from './embedder.service.js';

@Controller()
export class EmbedderController {
  private readonly onFailure: FailureListener;

  constructor(
    private readonly embedder: EmbedderService,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.onFailure = (error, { correlationId }) =>
      logger[ERROR_TABLE[error.kind].logLevel]({ code: error.code, correlationId, err: error.cause }, error.message);
  }

  @MessagePattern(querySubject(EmbedQuery.type))
  embedQuery(@Payload() bytes: Uint8Array): Promise<string> {
    return respond(bytes, EmbedQuery.schema, ({ data }) => this.embedder.embedQuery(data.text), this.onFailure);
  }

  @MessagePattern(querySubject(GetEmbedder.type))
  view(@Payload() bytes: Uint8Array): Promise<string> {
    return respond(bytes, GetEmbedder.schema, () => Promise.resolve(this.embedder.view()), this.onFailure);
  }

  @MessagePattern(querySubject(CheckEmbedder.type))
  check(@Payload() bytes: Uint8Array): Promise<string> {
    return respond(bytes, CheckEmbedder.schema, () => Promise.resolve(this.embedder.check()), this.onFailure);
  }
}
