import { QUOTA_LIMIT_MAX, QuotasView } from '@cairn/contracts';
import { Body, Get, Put } from '@nestjs/common';
import { z } from 'zod';
import { QuotaSetAnswer } from './answer.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const newLimit = z.strictObject({
  limit: z.int().min(0).max(QUOTA_LIMIT_MAX).nullable().describe('null removes the limit.'),
});

@RestController('quotas')
export class QuotasController {
  @Get()
  @Operation({
    access: 'admin',
    summary: 'Get the quotas of the workspace and how much of each is used',
    answer: QuotasView,
  })
  list(@Call() { cairn }: RestCall) {
    return cairn.query('quotas.get', {});
  }

  @Put('knowledge_stored')
  @Operation({
    access: 'admin',
    summary: 'Set how many knowledge entries the workspace may store',
    note: 'A limit below what is stored takes nothing away: nothing more is stored until there is room.',
    answer: QuotaSetAnswer,
    takesKey: true,
  })
  async set(@Body({ schema: newLimit }) body: z.output<typeof newLimit>, @Call() { cairn }: RestCall) {
    const { position } = await cairn.command('quota.set', { name: 'knowledge_stored', ...body });
    return { ...(await cairn.query('quotas.get', {})).knowledge_stored, position };
  }
}
