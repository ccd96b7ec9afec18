import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { jetstreamManager, type DirectStreamAPI, type StoredMsg } from '@nats-io/jetstream';

/** The broker accepts 1,024 subjects in one request. */
const BATCH_MAX = 256;

interface Sought {
  readonly subject: string;
  readonly resolve: (newest: StoredMsg | undefined) => void;
  readonly reject: (error: AppError) => void;
}

/**
 * The newest message of a subject. Those requested in one turn of the event loop are fetched by one request: a batch of a
 * projection and the texts that the embedder works on need many keys at the same time.
 */
export class KeyReads {
  private sought: Sought[] = [];
  private direct: Promise<DirectStreamAPI> | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly stream: string,
  ) {}

  newest(subject: string): Promise<StoredMsg | undefined> {
    return new Promise((resolve, reject) => {
      this.sought.push({ subject, resolve, reject });
      if (this.sought.length === 1) setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    const all = this.sought.splice(0);
    for (let start = 0; start < all.length; start += BATCH_MAX) void this.fetch(all.slice(start, start + BATCH_MAX));
  }

  private async fetch(batch: readonly Sought[]): Promise<void> {
    try {
      const found = await this.read([...new Set(batch.map(({ subject }) => subject))]);
      for (const { subject, resolve } of batch) resolve(found.get(subject));
    } catch (thrown) {
      const error = fail('key.unavailable', 'the key store is unavailable; try again', {}, thrown);
      for (const { reject } of batch) reject(error);
    }
  }

  private async read(subjects: readonly string[]): Promise<ReadonlyMap<string, StoredMsg>> {
    this.direct ??= jetstreamManager(this.nats, { checkAPI: false }).then((manager) => manager.direct);
    const direct = await this.direct;
    const [only] = subjects;
    if (subjects.length === 1) {
      const message = await direct.getMessage(this.stream, { last_by_subj: only! });
      return new Map(message ? [[only!, message]] : []);
    }
    const found = new Map<string, StoredMsg>();
    const messages = await direct.getLastMessagesFor(this.stream, {
      multi_last: [...subjects],
      batch: subjects.length,
    });
    for await (const message of messages) found.set(message.subject, message);
    return found;
  }
}
