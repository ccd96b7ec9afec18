import { ForgetResult } from '@cairn/contracts';
import { Delete, Param } from '@nestjs/common';
import type { z } from 'zod';
import { BY_ID } from './by-id.js';
import { idParam } from './common.schema.js';
import { FORGOTTEN_FOR_GOOD } from './items.controller.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('chunks', { access: 'admin' })
export class ChunksController {
  @Delete(BY_ID)
  @Operation({
    summary: 'Forget one chunk of an item for good; with its last chunk the item goes too',
    note: FORGOTTEN_FOR_GOOD,
    answer: ForgetResult,
    takesKey: true,
  })
  forget(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    return cairn.command('chunk.forget', { chunkId: id, surface: 'rest' });
  }
}
