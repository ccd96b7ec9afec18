import { GetOp, GetReceipt, GetReceiptKey, ListOps, querySubject } from '@cairn/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { QueryResponder } from '../query-responder.js';
import { SearchService } from '../search.service.js';

@Controller()
export class OpsController {
  constructor(
    private readonly search: SearchService,
    private readonly responder: QueryResponder,
  ) {}

  @MessagePattern(querySubject(ListOps.type))
  list(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(ListOps, bytes, ({ principal, data }) => this.search.ops.list(principal, data));
  }

  @MessagePattern(querySubject(GetOp.type))
  get(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(GetOp, bytes, ({ principal, data }) => this.search.ops.get(principal, data));
  }

  @MessagePattern(querySubject(GetReceipt.type))
  receipt(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answerAdmin(GetReceipt, bytes, ({ principal, data }) =>
      this.search.receipts.get(principal, data),
    );
  }

  @MessagePattern(querySubject(GetReceiptKey.type))
  receiptKey(@Payload() bytes: Uint8Array): Promise<string> {
    return this.responder.answer(GetReceiptKey, bytes, () => this.search.receipts.key());
  }
}
