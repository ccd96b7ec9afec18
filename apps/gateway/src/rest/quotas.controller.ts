import { QUOTA_LIMIT_MAX, QuotasView } from '@cairn/contracts';
import { Body, Get, Put } from '@nestjs/common';
import { z } from 'zod';
import { QuotaSetAnswer } from './answer.schema.js';
import { DailyTokens } from '../mesh/daily-tokens.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const newLimit = z.strictObject({
  limit: z.int().min(0).max(QUOTA_LIMIT_MAX).nullable().describe('null removes the limit.'),
});

@RestController('quotas', { access: 'admin' })
export class QuotasController {
  constructor(private readonly dailyTokens: DailyTokens) {}

  @Get()
  @Operation({ summary: 'Get the quotas of the workspace and how much of each is used', answer: QuotasView })
  list(@Call() call: RestCall) {
    return this.quotas(call);
  }

  @Put('knowledge_stored')
  @Operation({
    summary: 'Set how many knowledge entries the workspace may store',
    note: 'A limit below what is stored takes nothing away: nothing more is stored until there is room.',
    answer: QuotaSetAnswer,
    takesKey: true,
  })
  async set(@Body({ schema: newLimit }) body: z.output<typeof newLimit>, @Call() { cairn }: RestCall) {
    const { position } = await cairn.command('quota.set', { name: 'knowledge_stored', ...body });
    return { ...(await cairn.query('quotas.get', {})).knowledge_stored, position };
  }

  @Put('mesh_daily_tokens')
  @Operation({
    summary: 'Set how many tokens the workspace may fetch from its sources per UTC day',
    answer: QuotaSetAnswer,
    takesKey: true,
  })
  async setDailyTokens(@Body({ schema: newLimit }) body: z.output<typeof newLimit>, @Call() call: RestCall) {
    const { position } = await call.cairn.command('quota.set', { name: 'mesh_daily_tokens', ...body });
    return { ...(await this.quotas(call)).mesh_daily_tokens, position };
  }

  /** Tokens are counted in the broker, because every gateway spends them. */
  private async quotas({ cairn, principal }: RestCall) {
    const [quotas, used] = await Promise.all([
      cairn.query('quotas.get', {}),
      this.dailyTokens.used(principal.workspaceId),
    ]);
    return { ...quotas, mesh_daily_tokens: { ...quotas.mesh_daily_tokens, used } };
  }
}
