import { asAppError } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { EntryReader } from './op-log.port.js';

export interface Checkpoint {
  readonly position: number;
  /** Increases with every swap, so that a projector that works on a replaced version is fenced. */
  readonly epoch: number;
}

/** Where a projection is stored: applies entries and moves its checkpoint in one step, or reports that it is fenced. */
export interface ProjectionTarget<T> {
  readonly name: string;
  checkpoint(): Promise<Checkpoint>;
  /** Announces the entries of the next `apply`, so that work that needs no checkpoint can be done meanwhile. */
  announce?(entries: readonly T[]): void;
  apply(entries: readonly T[], expected: Checkpoint, reached: number): Promise<'applied' | 'fenced'>;
}

export interface ProjectorListener {
  applied?(name: string, position: number, entries: number): void;
  failed?(name: string, error: AppError): void;
  /** An earlier failure is over, through this process or another one. */
  recovered?(name: string): void;
}

/** Whether this process is the one that applies. */
export interface Turn {
  readonly isOurs: boolean;
  /** Resolves when that has changed, at the latest after this time. */
  changed(waitMs: number): Promise<void>;
}

/** For a process that does not share its work. */
export const ALWAYS_OURS: Turn = { isOurs: true, changed: () => Promise.resolve() };

interface Waiter {
  readonly position: number;
  readonly resolve: (reached: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** Large batches make a rebuild fast; a projection that shares a database with live queries sets a smaller limit. */
const BATCH_MAX_DEFAULT = 256;
const IDLE_WAIT_MS = 1_000;
/** How often a waiting process reads the checkpoint itself: the notices of the process that applies may be lost. */
const LOOK_MS = 1_000;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 2_000;

/**
 * The one loop for live operation, catch-up and rebuild: reads from the checkpoint on and applies entries in order, in
 * batches, forever or until a position is reached. After a fence (another process moved the checkpoint) or a failure it
 * starts again at the checkpoint; an entry is never skipped.
 */
export class Projector<T extends { readonly position: number }> {
  private running: Promise<void> | undefined;
  private stopping = false;
  /** The checkpoint was changed by something else, so what this projector knows about it is outdated. */
  private isOutdated = false;
  private position = -1;
  private readonly waiters = new Set<Waiter>();
  private lastError: AppError | undefined;
  private reader: EntryReader<T> | undefined;
  private end: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  constructor(
    private readonly target: ProjectionTarget<T>,
    private readonly read: (fromPosition: number) => EntryReader<T>,
    private readonly listener: ProjectorListener = {},
    private readonly batchMax = BATCH_MAX_DEFAULT,
    private readonly turn = ALWAYS_OURS,
  ) {}

  get name(): string {
    return this.target.name;
  }

  /** The last position this projector has seen applied; -1 before it has read the checkpoint. */
  get reached(): number {
    return this.position;
  }

  /** The reason why the projector is stalled, if it is. */
  get failure(): AppError | undefined {
    return this.lastError;
  }

  start(): void {
    this.running ??= this.runUntil(() => this.stopping);
  }

  /** Catches up to a position and stops, for a rebuild. */
  async runTo(position: number): Promise<void> {
    await this.runUntil(() => this.stopping || this.position >= position, true);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.end();
    await this.reader?.close();
    await this.running;
    for (const waiter of this.waiters) this.settle(waiter, false);
  }

  /** Starts again at the checkpoint, as after a fence. */
  reread(): void {
    this.isOutdated = true;
    void this.reader?.close();
  }

  /** True once the position is applied; false if that took longer than `timeoutMs`. */
  caughtUp(position: number, timeoutMs: number): Promise<boolean> {
    if (this.position >= position) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter: Waiter = { position, resolve, timer: setTimeout(() => this.settle(waiter, false), timeoutMs) };
      this.waiters.add(waiter);
    });
  }

  /** Another process has applied everything up to this position. */
  observe(position: number): void {
    if (position > this.position) this.moveTo(position);
  }

  private settle(waiter: Waiter, reached: boolean): void {
    clearTimeout(waiter.timer);
    this.waiters.delete(waiter);
    waiter.resolve(reached);
  }

  private async runUntil(done: () => boolean, failFast = false): Promise<void> {
    let retryMs = RETRY_MIN_MS;
    let failedAt = -1;
    while (!done()) {
      try {
        await (this.turn.isOurs ? this.follow(done) : this.standBy(done));
        retryMs = RETRY_MIN_MS;
      } catch (thrown) {
        const error = asAppError(thrown);
        // Another process may apply what this one cannot read; each such op is then a new failure, not a longer one.
        if (this.position > failedAt) retryMs = RETRY_MIN_MS;
        failedAt = this.position;
        this.lastError = error;
        this.listener.failed?.(this.name, error);
        if (failFast && error.kind === 'defect') throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
      }
    }
  }

  /** Another process applies. Reads the checkpoint once, and again whenever someone waits for a position. */
  private async standBy(done: () => boolean): Promise<void> {
    this.observe((await this.target.checkpoint()).position);
    this.lastError = undefined;
    do await Promise.race([this.turn.changed(LOOK_MS), this.ended]);
    while (!done() && !this.turn.isOurs && this.waiters.size === 0);
  }

  /** From the checkpoint on, until done, fenced or outdated, or until it is another process's turn. */
  private async follow(done: () => boolean): Promise<void> {
    this.isOutdated = false;
    let checkpoint = await this.target.checkpoint();
    this.moveTo(checkpoint.position);
    const reader = (this.reader = this.read(checkpoint.position + 1));
    try {
      let ahead: readonly T[] = [];
      while (!done() && !this.isOutdated && this.turn.isOurs) {
        const entries = ahead.length > 0 ? ahead : await reader.next(this.batchMax, IDLE_WAIT_MS);
        ahead = await this.readAhead(reader, entries);
        const last = entries.at(-1);
        if (!last) {
          // The checkpoint was read and nothing is left to apply, so an earlier failure is over.
          this.recover();
          continue;
        }
        if ((await this.target.apply(entries, checkpoint, last.position)) === 'fenced') return;
        checkpoint = { ...checkpoint, position: last.position };
        this.recover();
        this.moveTo(last.position);
        this.listener.applied?.(this.name, last.position, entries.length);
      }
    } finally {
      await reader.close();
    }
  }

  /**
   * After a full batch there are probably more entries, which are prepared while that batch is applied. After a smaller
   * one there are not: entries that arrive meanwhile are better processed together afterwards.
   */
  private async readAhead(reader: EntryReader<T>, entries: readonly T[]): Promise<readonly T[]> {
    if (entries.length < this.batchMax) return [];
    // A reader that failed fails again at the next call; entries read before the failure are applied first.
    const ahead = await reader.next(this.batchMax, 0).catch(() => []);
    if (ahead.length > 0) this.target.announce?.(ahead);
    return ahead;
  }

  private recover(): void {
    if (!this.lastError) return;
    this.lastError = undefined;
    this.listener.recovered?.(this.name);
  }

  private moveTo(position: number): void {
    this.position = position;
    for (const waiter of this.waiters) if (waiter.position <= position) this.settle(waiter, true);
  }
}
