import {
  asAppError,
  BATCH_ITEMS_IN_FLIGHT_MAX,
  BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE,
  BATCH_ITEMS_WAITING_MAX,
  BATCH_ITEMS_WAITING_PER_WORKSPACE,
  fail,
  parseInput,
} from '@cairn/contracts';
import { FairGate } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import type { z } from 'zod';
import { logRefusal } from '../http/log-refusal.js';
import { restCharges } from '../limits/charge.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { ItemBatchAnswer } from './answer.schema.js';
import { batchItem } from './item.schema.js';
import { itemError } from './item-error.js';
import type { RestCall } from './rest-request.js';
import { storeItem } from './store-item.js';

type Result = z.output<typeof ItemBatchAnswer>['results'][number];

/**
 * Stores the items of batches, several at once, so that ingest appends them in groups. Workspaces take turns, and so do
 * the tokens of a workspace (ADR 0052); a single request never waits behind a batch.
 */
export class ItemBatches {
  private readonly gate = new FairGate(BATCH_ITEMS_IN_FLIGHT_MAX, [BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE]);

  constructor(
    private readonly limits: Pick<RateLimiter, 'chargeMore'>,
    private readonly logger: Logger,
  ) {}

  /** One result per item, in order. Throws before anything is stored if too many items are waiting already. */
  async store(items: readonly unknown[], call: RestCall): Promise<Result[]> {
    this.checkWaiting(call.principal.workspaceId);
    // The request itself was counted before its body was read, and stands for the first item.
    const { granted, refusal } = await this.limits.chargeMore(restCharges(call.caller), items.length - 1);
    const stored = await Promise.all(items.slice(0, granted + 1).map((item, i) => this.result(item, i, call)));
    const others = items.slice(granted + 1).map((_, i) => this.refused(refusal, granted + 1 + i, call));
    return [...stored, ...others];
  }

  private async result(item: unknown, index: number, call: RestCall): Promise<Result> {
    const { workspaceId, tokenId } = call.principal;
    try {
      const { idempotencyKey: key, format, ...body } = parseInput(batchItem, item);
      const cairn = key === undefined ? call.part(`items[${index}]`) : call.under(key);
      const store = () => storeItem(cairn, { ...body, ...(format && { format }) }, format ? 'file' : 'document');
      return await this.gate.run({ keys: [workspaceId, tokenId], size: 1 }, store);
    } catch (thrown) {
      return this.refused(thrown, index, call);
    }
  }

  private refused(thrown: unknown, index: number, { caller: { correlationId } }: RestCall): Result {
    const error = asAppError(thrown);
    logRefusal(this.logger, error, correlationId);
    return { error: itemError(error, index, correlationId) };
  }

  private checkWaiting(workspaceId: string): void {
    this.checkShare([workspaceId], BATCH_ITEMS_WAITING_PER_WORKSPACE, ' of this workspace');
    this.checkShare([], BATCH_ITEMS_WAITING_MAX, '');
  }

  private checkShare(keys: readonly string[], limit: number, whose: string): void {
    if (this.gate.waitingCount(keys) < limit) return;
    throw fail('busy', `${limit} items of batches${whose} are waiting to be stored already; try again`, { limit });
  }
}
