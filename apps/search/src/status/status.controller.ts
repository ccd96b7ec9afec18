import { CheckSearch, GetProjections, GetStatus, querySubject } from '@cairn/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { QueryResponder } from '../query-responder.js';
import { SearchService } from '../search.service.js';

@Controller()
export class StatusController {
  constructor(
    private readonly search: SearchService,
    private readonly responder: QueryResponder,
  ) {}

  @MessagePattern(querySubject(GetProjections.type))
  projections(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(GetProjections, bytes, async () => ({
      items: await this.search.projections.list(),
    }));
  }

  @MessagePattern(querySubject(CheckSearch.type))
  check(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(CheckSearch, bytes, () => this.search.status.check());
  }

  @MessagePattern(querySubject(GetStatus.type))
  status(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(GetStatus, bytes, (request) => this.search.status.status(request));
  }
}
