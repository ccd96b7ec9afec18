import { fail, rateSubject } from '@cairn/contracts';
import { publishAtomically, type NatsConnection } from '@cairn/messaging';
import type { CounterKey, RateCounter } from './rate-counter.port.js';

const TIMEOUT_MS = 2_000;
const NO_BODY = new Uint8Array();

/** The counters of the stream RATES, which ingest creates: the broker adds, and its acknowledgement carries the sum. */
export class JetStreamRateCounter implements RateCounter {
  constructor(private readonly nats: NatsConnection) {}

  async add({ tokenId, bucket, hour }: CounterKey, amount: number): Promise<number> {
    const headers = { 'Nats-Incr': String(amount) };
    const message = { subject: rateSubject(tokenId, bucket, hour), body: NO_BODY, headers };
    const ack = await publishAtomically(this.nats, [message], TIMEOUT_MS).catch((thrown: unknown) => {
      throw fail('service.unavailable', 'the rate counter did not answer', {}, thrown);
    });
    const sum = Number(ack?.val);
    if (Number.isSafeInteger(sum)) return sum;
    throw fail('service.unavailable', `the rate counter did not count: ${ack?.error?.description ?? 'no answer'}`);
  }
}
