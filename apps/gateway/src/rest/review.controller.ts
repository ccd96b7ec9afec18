import { pageOf, ReviewEntry } from '@cairn/contracts';
import { Get, Query } from '@nestjs/common';
import type { z } from 'zod';
import { reviewFilter } from './graph.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { withoutFolder } from './without-folder.js';

@RestController('review', { access: 'admin' })
export class ReviewController {
  @Get()
  @Operation({
    summary: 'List what waits for a person: ambiguous edges, suggested merges, conflicts; newest first',
    note: 'Worked out when it is asked for. Nothing is merged or changed by itself.',
    answer: pageOf(ReviewEntry),
  })
  async list(@Query({ schema: reviewFilter }) filter: z.output<typeof reviewFilter>, @Call() { cairn }: RestCall) {
    const { items, nextCursor } = await cairn.query('review.list', filter);
    return { items: items.map(withoutFolder), nextCursor };
  }
}
