import { BATCH_ITEMS_MAX, BODY_BYTES_MAX } from '@cairn/contracts';
import { Body, Post } from '@nestjs/common';
import type { z } from 'zod';
import { ItemBatchAnswer } from './answer.schema.js';
import { ChecksTexts } from './checks-texts.decorator.js';
import { ItemBatches } from './item-batches.js';
import { itemBatch } from './item.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('items\\:batch', { access: 'write' })
export class ItemBatchController {
  constructor(private readonly batches: ItemBatches) {}

  @Post()
  @Operation({
    summary: `Store up to ${BATCH_ITEMS_MAX} items`,
    note:
      `As JSON of up to ${BODY_BYTES_MAX} bytes. Each item is stored or refused by itself, as POST /items would, and ` +
      'counts as one request. An item with an idempotencyKey is stored once, however often it is sent, here or alone; ' +
      'an Idempotency-Key of the whole request stands for those without one, by their place in the list.',
    answer: ItemBatchAnswer,
    takesKey: true,
  })
  @ChecksTexts('items')
  async store(@Body({ schema: itemBatch }) { items }: z.output<typeof itemBatch>, @Call() call: RestCall) {
    return { results: await this.batches.store(items, call) };
  }
}
