import { querySubject, RecallChunks, SearchChunks, SearchItems } from '@cairn/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { QueryResponder } from '../query-responder.js';
import { SearchService } from '../search.service.js';

@Controller()
export class RetrievalController {
  constructor(
    private readonly search: SearchService,
    private readonly responder: QueryResponder,
  ) {}

  @MessagePattern(querySubject(SearchChunks.type))
  chunks(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(SearchChunks, bytes, (request) => this.search.searcher.chunks(request));
  }

  @MessagePattern(querySubject(SearchItems.type))
  items(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(SearchItems, bytes, (request) => this.search.searcher.items(request));
  }

  @MessagePattern(querySubject(RecallChunks.type))
  recall(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(RecallChunks, bytes, (request) => this.search.searcher.recall(request));
  }
}
