import { asAppError } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

export interface RoundsOptions {
  /** The signal is aborted when the rounds stop, for a round that can end early. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** The next round comes after the usual pause. */
  readonly onFailure: (error: AppError) => void;
  /** The pause between two rounds. */
  readonly pauseMs: number;
  /** At most this part of the time is spent in rounds: after a long one, the pause is longer. */
  readonly shareMax?: number;
  /** Asked before each round; false leaves it to another replica. */
  readonly isWanted?: () => boolean;
  /** The first round comes after a pause, instead of at the start. */
  readonly pausesFirst?: true;
}

/** Repeats a piece of work in the background, one round at a time. */
export class Rounds {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: RoundsOptions) {}

  start(): void {
    this.runAfter(this.options.pausesFirst ? this.options.pauseMs : 0);
  }

  /** No round begins from now on. Waits for the one that is running. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Runs a round now, or waits for the one that is running. */
  async now(): Promise<void> {
    if (!this.stopping.signal.aborted) this.running ??= this.round().finally(() => (this.running = undefined));
    await this.running;
  }

  private runAfter(pauseMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => void this.runAndPause(), pauseMs).unref();
  }

  private async runAndPause(): Promise<void> {
    const { pauseMs, shareMax = 1, isWanted = () => true } = this.options;
    const started = performance.now();
    if (isWanted()) await this.now();
    const tookMs = performance.now() - started;
    this.runAfter(Math.max(pauseMs, tookMs / shareMax - tookMs));
  }

  private async round(): Promise<void> {
    const { signal } = this.stopping;
    try {
      await this.options.round(signal);
    } catch (thrown) {
      // A round that is cut off by the stop has not failed.
      if (!signal.aborted) this.options.onFailure(asAppError(thrown));
    }
  }
}
