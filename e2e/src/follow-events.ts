import { underTest } from './under-test.js';

export interface StreamEvent {
  readonly event: string;
  readonly id: number | undefined;
  readonly data: any;
}

const WAIT_MS = 15_000;

const parse = (block: string): StreamEvent | undefined => {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const [event, data, id] = [field('event'), field('data'), field('id')];
  return event && data ? { event, id: id === undefined ? undefined : Number(id), data: JSON.parse(data) } : undefined;
};

/** An open `GET /events`, as the console reads it. */
export class EventFollower {
  readonly seen: StreamEvent[] = [];
  /** Resolves when the stream has ended, on either side. */
  readonly ended: Promise<void>;
  private wake: () => void = () => undefined;
  private hasEnded = false;

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    this.ended = this.read().catch(() => undefined);
    void this.ended.then(() => {
      this.hasEnded = true;
      this.wake();
    });
  }

  /** Nothing that happens after this can be missed. */
  static async open(token: string): Promise<EventFollower> {
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${underTest.url}/api/v1/events`, { headers, signal: abort.signal });
    return new EventFollower(response, abort);
  }

  async next(isIt: (event: StreamEvent) => boolean): Promise<StreamEvent> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const found = this.seen.find(isIt);
      if (found) return found;
      if (this.hasEnded || Date.now() > deadline) throw new Error(`no such event: ${JSON.stringify(this.seen)}`);
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, deadline - Date.now());
      });
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of this.response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      this.seen.push(...blocks.flatMap((block) => parse(block) ?? []));
      this.wake();
    }
  }
}
