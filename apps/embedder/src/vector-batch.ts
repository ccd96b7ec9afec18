import type { VectorMessage } from '@cairn/contracts';

/** How long a vector waits for others; short compared with the time that a backlog takes. */
const LINGER_MS = 100;
const BATCH_MAX = 32;

interface Waiting {
  readonly message: VectorMessage;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores vectors together: a batch costs one disk sync and one projection transaction, the same as a single vector. A
 * vector waits only while others are in progress, so a single text is not delayed.
 */
export class VectorBatch {
  private waiting: Waiting[] = [];
  private onTheWay = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly publish: (messages: readonly VectorMessage[]) => Promise<void>) {}

  /** Resolves when the vector is durable, or when there turned out to be none. */
  async store(make: () => Promise<VectorMessage | undefined>): Promise<void> {
    this.onTheWay++;
    let stored: Promise<void> | undefined;
    try {
      const message = await make();
      if (message) stored = this.enqueue(message);
    } finally {
      this.onTheWay--;
      if (this.onTheWay === 0 || this.waiting.length >= BATCH_MAX) this.flush();
      else if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.flush(), LINGER_MS);
    }
    await stored;
  }

  private enqueue(message: VectorMessage): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.push({ message, resolve, reject }));
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting.splice(0);
    if (batch.length === 0) return;
    this.publish(batch.map(({ message }) => message)).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  }
}
