import { workspaceOfOplogSubject } from '@cairn/contracts';
import { FairQueue } from '@cairn/kernel';
import { JsHeaders, type Consumer, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';

/** The number of remembered positions. Reading pauses at this number and continues as the window passes them. */
const POSITIONS_MAX = 100_000;
/** Dropping passed positions reads all of them, so it waits until this many can be dropped. */
const PASSED_MIN = 1_000;
/** The number of ops ahead of the window in work at the same time, one per workspace. */
const AHEAD_MAX = 16;
/** The number of headers per fetch; each is a few hundred bytes. */
const PREFETCH = 1_000;

/** The position of an op in the backlog. */
export interface AheadOp {
  readonly position: number;
  readonly workspace: string;
}

export interface LookAheadOptions {
  /** Yields the headers of the ops that the window has not taken yet. */
  readonly open: () => Promise<Consumer>;
  /** True while the window has ops of this workspace, which then gets its turns there. */
  readonly isServed: (workspace: string) => boolean;
  /** The last position that the window has taken. */
  readonly passed: () => number;
  /** Embeds the op if it still exists. Never rejects: an op that fails here comes again in log order. */
  readonly embed: (op: AheadOp) => Promise<void>;
}

/**
 * Finds the ops of workspaces that wait behind another's backlog, and embeds them out of order. It reads the headers of
 * the backlog only, through a consumer without acknowledgements that replicas share, so that each op is found by one of
 * them. It decides nothing: every op still comes in log order and is acknowledged there (ADR 0058).
 */
export class LookAhead {
  private readonly found = new FairQueue<AheadOp>();
  private readonly inWork = new Map<string, Promise<void>>();
  private messages: ConsumerMessages | undefined;
  private reading: Promise<void> | undefined;
  private onProgress = (): void => undefined;
  private stopped = false;

  constructor(private readonly options: LookAheadOptions) {}

  /** An error ends the reading and changes nothing else. */
  start(onError: (thrown: unknown) => void): this {
    this.reading = this.read().catch(onError);
    return this;
  }

  /** Must be called whenever the window has changed: a workspace may have no more ops in it. */
  windowChanged(): void {
    this.embedWaiting();
    this.onProgress();
  }

  /** Stops reading and waits for the ops in work. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    this.onProgress();
    await this.reading;
    await Promise.all(this.inWork.values());
  }

  private async read(): Promise<void> {
    const consumer = await this.options.open();
    this.messages = await consumer.consume({ max_messages: PREFETCH });
    if (this.stopped) return this.messages.stop();
    for await (const message of this.messages) {
      if (this.stopped) return;
      this.remember(message);
      this.embedWaiting();
      if (this.found.length >= POSITIONS_MAX) await this.roomToRemember();
    }
  }

  private async roomToRemember(): Promise<void> {
    let dropped = this.options.passed();
    while (!this.stopped && this.found.length >= POSITIONS_MAX) {
      await new Promise<void>((resolve) => (this.onProgress = resolve));
      const passed = this.options.passed();
      if (passed < dropped + PASSED_MIN) continue;
      dropped = passed;
      this.found.removeWhere(({ position }) => position <= passed);
    }
  }

  private remember({ seq: position, subject, headers }: JsMsg): void {
    const workspace = workspaceOfOplogSubject(subject);
    const size = Number(headers?.get(JsHeaders.MessageSizeHdr) ?? 0);
    this.found.push({ position, workspace }, { keys: [workspace], size });
  }

  private embedWaiting(): void {
    const mayTake = ([workspace]: readonly string[]): boolean =>
      !this.inWork.has(workspace!) && !this.options.isServed(workspace!);
    while (!this.stopped && this.inWork.size < AHEAD_MAX) {
      const op = this.found.shift(mayTake);
      if (!op) return;
      if (op.position <= this.options.passed()) continue;
      const work = this.options.embed(op).finally(() => {
        this.inWork.delete(op.workspace);
        this.windowChanged();
      });
      this.inWork.set(op.workspace, work);
    }
  }
}
