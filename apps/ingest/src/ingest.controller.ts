import {
  CALLER_COMMANDS,
  commandSubject,
  INGEST_QUERIES,
  LOGGED_COMMANDS,
  ProposeCorrection,
  querySubject,
  sharedSubject,
} from '@cairn/contracts';
import { commandEndpoints, queryEndpoints, Responder, type Endpoints } from '@cairn/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import { Commands } from './commands/commands.js';
import { IngestStatus } from './ingest-status.js';

@Controller()
export class IngestController {
  private readonly endpoints: Endpoints;

  constructor(
    commands: Commands,
    status: IngestStatus,
    private readonly responder: Responder,
  ) {
    this.endpoints = new Map([
      ...commandEndpoints(LOGGED_COMMANDS, (type, request) => commands.carryOut(type, request)),
      ...commandEndpoints([ProposeCorrection], (_, request) => commands.propose(request)),
      ...queryEndpoints(INGEST_QUERIES, {
        'ingest.get': () => status.view(),
        'ingest.check': () => status.check(),
      }),
    ]);
  }

  @MessagePattern([
    ...CALLER_COMMANDS.map(({ type }) => commandSubject(type)),
    ...INGEST_QUERIES.map(({ type }) => querySubject(type)),
  ])
  answer(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    return this.responder.answer(this.endpoints, sharedSubject(context.getSubject()), bytes);
  }
}
