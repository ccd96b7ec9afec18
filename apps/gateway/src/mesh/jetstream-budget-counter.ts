import { fail } from '@cairn/contracts';
import { publishAtomically, type NatsConnection } from '@cairn/messaging';
import type { BudgetCounter } from './budget-counter.port.js';

const TIMEOUT_MS = 2_000;
const NO_BODY = new Uint8Array();

/**
 * The counters of the stream BUDGETS, which ingest creates: the broker adds, and its acknowledgement carries the sum.
 */
export class JetStreamBudgetCounter implements BudgetCounter {
  constructor(private readonly nats: NatsConnection) {}

  async add(subject: string, amount: number): Promise<number> {
    const message = { subject, body: NO_BODY, headers: { 'Nats-Incr': String(amount) } };
    const ack = await publishAtomically(this.nats, [message], TIMEOUT_MS).catch((thrown: unknown) => {
      throw fail('service.unavailable', 'the counter of budgets did not answer', {}, thrown);
    });
    const sum = Number(ack?.val);
    if (Number.isSafeInteger(sum)) return sum;
    throw fail('service.unavailable', `the budget was not counted: ${ack?.error?.description ?? 'no answer'}`);
  }
}
