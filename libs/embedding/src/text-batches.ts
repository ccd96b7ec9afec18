type Vector = readonly number[];

interface Waiting {
  readonly text: string;
  readonly resolve: (vector: Vector) => void;
  readonly reject: (error: unknown) => void;
}

/** The most texts in one request. */
export const TEXTS_AT_ONCE = 32;
/** While one request is with the endpoint, the next is on its way. */
const REQUESTS_MAX = 2;
/** A query that arrives meanwhile waits for the requests before it, so a slow endpoint gets fewer texts at once. */
const REQUEST_MS = 100;

/**
 * Sends texts that come at the same time in one request, as many as the endpoint answers within a short time. The first
 * text goes alone and at once.
 */
export class TextBatches {
  private readonly waiting: Waiting[] = [];
  private requests = 0;
  private size = 1;
  private sizeMax = TEXTS_AT_ONCE;

  constructor(
    private readonly request: (texts: readonly string[]) => Promise<readonly Vector[]>,
    /** Whether the endpoint has answered that it does not take the text. */
    private readonly isRefusal: (thrown: unknown) => boolean,
  ) {}

  embed(text: string): Promise<Vector> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ text, resolve, reject });
      this.sendNext();
    });
  }

  private sendNext(): void {
    while (this.requests < REQUESTS_MAX && this.waiting.length > 0) {
      this.requests++;
      void this.send(this.waiting.splice(0, this.size)).finally(() => {
        this.requests--;
        this.sendNext();
      });
    }
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    const startMs = performance.now();
    try {
      const vectors = await this.request(batch.map(({ text }) => text));
      const textMs = (performance.now() - startMs) / batch.length;
      this.size = Math.max(1, Math.min(this.sizeMax, Math.floor(REQUEST_MS / textMs), 2 * this.size));
      batch.forEach(({ resolve }, index) => resolve(vectors[index]!));
    } catch (thrown) {
      if (batch.length === 1) return batch[0]!.reject(thrown);
      await this.sendEach(batch);
    }
  }

  /**
   * One text may have spoilt the request, or the endpoint does not take as many: each text then gets its own answer. If
   * it gives none for a single text either, the others need not ask.
   */
  private async sendEach(batch: readonly Waiting[]): Promise<void> {
    this.size = 1;
    const failures: unknown[] = [];
    for (const { text, resolve, reject } of batch) {
      const last = failures.at(-1);
      if (last !== undefined && !this.isRefusal(last)) {
        reject(last);
        continue;
      }
      try {
        const [vector] = await this.request([text]);
        resolve(vector!);
      } catch (thrown) {
        failures.push(thrown);
        reject(thrown);
      }
    }
    if (failures.length === 0) this.sizeMax = Math.floor(batch.length / 2);
  }
}
