import { GetItem, ListItems, querySubject } from '@cairn/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { QueryResponder } from '../query-responder.js';
import { SearchService } from '../search.service.js';

@Controller()
export class ItemsController {
  constructor(
    private readonly search: SearchService,
    private readonly responder: QueryResponder,
  ) {}

  @MessagePattern(querySubject(GetItem.type))
  get(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(GetItem, bytes, ({ principal, data }) => this.search.items.get(principal, data));
  }

  @MessagePattern(querySubject(ListItems.type))
  list(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(ListItems, bytes, ({ principal, data }) => this.search.items.list(principal, data));
  }
}
