import { CALLER_COMMANDS, commandSubject, INGEST_QUERIES, querySubject } from '@cairn/contracts';
import { commandEndpoints, queryEndpoints, Responder, type Endpoints } from '@cairn/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import { IngestService } from './ingest.service.js';

@Controller()
export class IngestController {
  private readonly endpoints: Endpoints;

  constructor(
    ingest: IngestService,
    private readonly responder: Responder,
  ) {
    const queries = queryEndpoints(INGEST_QUERIES, {
      'ingest.get': () => ingest.view(),
      'ingest.check': () => ingest.check(),
    });
    const commands = commandEndpoints((type, request) => ingest.carryOut(type, request as never));
    this.endpoints = new Map([...commands, ...queries]);
  }

  @MessagePattern([
    ...CALLER_COMMANDS.map(({ type }) => commandSubject(type)),
    ...INGEST_QUERIES.map(({ type }) => querySubject(type)),
  ])
  answer(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    return this.responder.answer(this.endpoints, context.getSubject(), bytes);
  }
}
