import { fail } from '@cairn/contracts';
import { FairGate, type Turn } from '@cairn/kernel';

/** The longest time that one passage yields: under continuous load, vectors are still produced, slowly. */
const YIELD_MS = 500;
const YIELD_POLL_MS = 10;

/**
 * Passes passages to the model in turns (ADR 0052), each as soon as no caller waits for an answer, or after a limited
 * time. Only a few are let in at once, because a caller that arrives meanwhile waits for all of them.
 */
export class PassageGate {
  private readonly gate: FairGate;
  private lastYield: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    passagesAtOnce: number,
    private readonly mustYield: () => boolean = () => false,
  ) {
    this.gate = new FairGate(passagesAtOnce);
  }

  pass<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    return this.gate.run(turn, async () => {
      await (this.lastYield = this.lastYield.then(() => this.yieldToCallers()));
      if (this.closed) throw fail('embedder.unavailable', 'The embedder is stopping.');
      return work();
    });
  }

  /** Waiting passages are rejected from now on. */
  close(): void {
    this.closed = true;
  }

  private async yieldToCallers(): Promise<void> {
    const patience = performance.now() + YIELD_MS;
    while (!this.closed && this.mustYield() && performance.now() < patience) {
      await new Promise((resolve) => setTimeout(resolve, YIELD_POLL_MS));
    }
  }
}
