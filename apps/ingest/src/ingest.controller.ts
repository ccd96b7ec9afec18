import { ERROR_TABLE, GetIngest, querySubject } from '@cairn/contracts';
import { respond } from '@cairn/messaging';
import { LOGGER, type Logger } from '@cairn/observability';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { IngestService } from './ingest.service.js';

/** What ingest tells of itself. */
@Controller()
export class IngestController {
  constructor(
    private readonly ingest: IngestService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @MessagePattern(querySubject(GetIngest.type))
  view(@Payload() bytes: Uint8Array): Promise<string> {
    return respond(
      bytes,
      GetIngest.schema,
      () => Promise.resolve(this.ingest.view()),
      (error, { correlationId }) =>
        this.logger[ERROR_TABLE[error.kind].logLevel](
          { code: error.code, correlationId, err: error.cause },
          error.message,
        ),
    );
  }
}
