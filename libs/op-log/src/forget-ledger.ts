import {
  fail,
  FORGOTTEN_STREAM,
  forgottenSubject,
  keepingUnknown,
  LedgerEntry,
  type LedgerEntry as Entry,
} from '@cairn/contracts';
import { publishAtomically, type NatsConnection, type PublishedMessage } from '@cairn/messaging';
import { jetstreamManager } from '@nats-io/jetstream';
import { StreamReader } from './stream-reader.js';

const PUBLISH_TIMEOUT_MS = 5_000;
const READ_WAIT_MS = 5_000;
/** Below the broker's limit for one batch. */
const BATCH_MAX = 500;
const decoder = new TextDecoder();

interface ReadEntry {
  readonly position: number;
  readonly entry: Entry;
}

const decode = (position: number, body: Uint8Array): ReadEntry => {
  try {
    return { position, entry: keepingUnknown(LedgerEntry).parse(JSON.parse(decoder.decode(body))) };
  } catch (thrown) {
    throw fail('contract.unreadable', `entry ${position} of the forget ledger is not readable`, {}, thrown);
  }
};

/** The id removes duplicates: a forgetting is written with its answer and, shortly after, by the worker. */
const published = (entry: Entry): PublishedMessage => ({
  subject: forgottenSubject(entry.workspaceId, entry.receiptId),
  body: JSON.stringify(entry),
  headers: { 'Nats-Msg-Id': `${entry.receiptId}.${entry.chunkId ?? 'item'}` },
});

/**
 * FORGOTTEN: the ids of everything that was forgotten. It is not restored when everything else is reset to an earlier
 * state, and then shows what has to be forgotten again.
 */
export class ForgetLedger {
  constructor(private readonly nats: NatsConnection) {}

  /** Durable when it resolves. Returns the position of the last entry, 0 for none. */
  async add(entries: readonly Entry[]): Promise<number> {
    let last = 0;
    for (let start = 0; start < entries.length; start += BATCH_MAX)
      last = Math.max(last, await this.publish(entries.slice(start, start + BATCH_MAX)));
    return last;
  }

  private async publish(entries: readonly Entry[]): Promise<number> {
    const ack = await publishAtomically(this.nats, entries.map(published), PUBLISH_TIMEOUT_MS).catch(unavailable);
    if (ack?.seq !== undefined && !ack.error) return ack.seq;
    if (!ack || entries.length === 1)
      throw fail('oplog.unavailable', 'the forget ledger did not take an entry; try again', {
        brokerCode: ack?.error?.err_code,
      });
    // A batch is rejected when one of its entries is already stored; sent alone, that one is acknowledged as a duplicate.
    return Math.max(...(await Promise.all(entries.map((entry) => this.publish([entry])))));
  }

  /** Everything that was forgotten, and the position of the last entry. */
  async read(): Promise<{ readonly entries: readonly Entry[]; readonly last: number }> {
    const last = await this.head();
    const entries: Entry[] = [];
    const reader = new StreamReader(this.nats, FORGOTTEN_STREAM, 1, ({ position, body }) => decode(position, body));
    try {
      for (let reached = 0; reached < last;) {
        const batch = await reader.next(BATCH_MAX, READ_WAIT_MS);
        if (batch.length === 0)
          throw fail('oplog.unavailable', 'the forget ledger cannot be read to its end; try again');
        for (const { entry } of batch) entries.push(entry);
        reached = batch.at(-1)!.position;
      }
    } finally {
      await reader.close();
    }
    return { entries, last };
  }

  private async head(): Promise<number> {
    const { streams } = await jetstreamManager(this.nats, { checkAPI: false }).catch(unavailable);
    return (await streams.info(FORGOTTEN_STREAM).catch(unavailable)).state.last_seq;
  }
}

const unavailable = (thrown: unknown): never => {
  throw fail('oplog.unavailable', 'the forget ledger is unavailable; try again', {}, thrown);
};
