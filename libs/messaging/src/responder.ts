import { ERROR_TABLE } from '@cairn/contracts';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { Endpoints } from './endpoints.js';

/** Wraps every handler: measures its time, and logs a failure at the level of its kind. */
@Injectable()
export class Responder {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async answer(endpoints: Endpoints, subject: string, bytes: Uint8Array): Promise<string> {
    const { kind, type, answer } = endpoints.get(subject)!;
    const seconds = kind === 'command' ? this.metrics.commandSeconds : this.metrics.querySeconds;
    const end = seconds.startTimer({ type });
    let outcome = 'ok';
    const reply = await answer(bytes, (error, { correlationId }) => {
      outcome = error.kind;
      const line = { type, code: error.code, correlationId, err: error.cause };
      this.logger[ERROR_TABLE[error.kind].logLevel](line, error.message);
    });
    end({ outcome });
    return reply;
  }
}
