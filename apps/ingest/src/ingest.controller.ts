import { CheckIngest, ERROR_TABLE, GetIngest, querySubject } from '@cairn/contracts';
import { respond, type FailureListener } from '@cairn/messaging';
import { LOGGER, type Logger } from '@cairn/observability';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { IngestService } from './ingest.service.js';

/** What ingest tells of itself. */
@Controller()
export class IngestController {
  private readonly onFailure: FailureListener;

  constructor(
    private readonly ingest: IngestService,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.onFailure = (error, { correlationId }) =>
      logger[ERROR_TABLE[error.kind].logLevel]({ code: error.code, correlationId, err: error.cause }, error.message);
  }

  @MessagePattern(querySubject(GetIngest.type))
  view(@Payload() bytes: Uint8Array): Promise<string> {
    return respond(bytes, GetIngest.schema, () => Promise.resolve(this.ingest.view()), this.onFailure);
  }

  @MessagePattern(querySubject(CheckIngest.type))
  check(@Payload() bytes: Uint8Array): Promise<string> {
    return respond(bytes, CheckIngest.schema, () => Promise.resolve(this.ingest.check()), this.onFailure);
  }
}
