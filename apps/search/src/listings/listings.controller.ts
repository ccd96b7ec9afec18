import {
  FindEndedTokens,
  GetFolder,
  GetQuotas,
  GetStats,
  ListConfirmations,
  ListFolders,
  ListTokens,
  ListWorkspaces,
  querySubject,
  ResolveToken,
} from '@cairn/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { QueryResponder } from '../query-responder.js';
import { SearchService } from '../search.service.js';

@Controller()
export class ListingsController {
  constructor(
    private readonly search: SearchService,
    private readonly responder: QueryResponder,
  ) {}

  @MessagePattern(querySubject(ListFolders.type))
  folders(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(ListFolders, bytes, ({ principal, data }) =>
      this.search.listings.folders(principal, data),
    );
  }

  @MessagePattern(querySubject(GetFolder.type))
  folder(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(GetFolder, bytes, ({ principal, data }) =>
      this.search.listings.folder(principal, data),
    );
  }

  @MessagePattern(querySubject(GetQuotas.type))
  quotas(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(GetQuotas, bytes, ({ principal }) => this.search.listings.quotas(principal));
  }

  @MessagePattern(querySubject(GetStats.type))
  stats(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(GetStats, bytes, ({ principal }) => this.search.stats.get(principal));
  }

  @MessagePattern(querySubject(ListConfirmations.type))
  confirmations(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(ListConfirmations, bytes, ({ principal, data }) =>
      this.search.confirmations.list(principal, data),
    );
  }

  @MessagePattern(querySubject(ListTokens.type))
  tokens(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(ListTokens, bytes, ({ principal, data }) =>
      this.search.listings.tokens(principal, data),
    );
  }

  @MessagePattern(querySubject(ListWorkspaces.type))
  workspaces(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(ListWorkspaces, bytes, ({ principal, data }) =>
      this.search.listings.workspaces(principal, data),
    );
  }

  @MessagePattern(querySubject(ResolveToken.type))
  resolveToken(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(ResolveToken, bytes, ({ data }) => this.search.tokens.resolve(data));
  }

  @MessagePattern(querySubject(FindEndedTokens.type))
  endedTokens(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(FindEndedTokens, bytes, ({ data }) => this.search.tokens.ended(data));
  }
}
