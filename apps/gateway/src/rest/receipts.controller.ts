import { ReceiptKeyView, ReceiptView } from '@cairn/contracts';
import { Get, Param } from '@nestjs/common';
import type { z } from 'zod';
import { BY_ID } from './by-id.js';
import { idParam } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('receipts', { access: 'admin' })
export class ReceiptsController {
  /** Declared before the receipts, whose path would match as well. */
  @Get('key')
  @Operation({
    access: 'read',
    summary: 'The public key that receipts are signed with',
    note: 'The signature is Ed25519 over the canonical JSON (RFC 8785) of the receipt without its signature.',
    answer: ReceiptKeyView,
  })
  key(@Call() { cairn }: RestCall) {
    return cairn.query('receipt.key', {});
  }

  @Get(BY_ID)
  @Operation({ summary: 'How far a forgetting is, and its signed receipt once nothing is left', answer: ReceiptView })
  get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    return cairn.query('receipt.get', { receiptId: id });
  }
}
