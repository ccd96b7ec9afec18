/** Passages with the model at once: one for each of its workers, and one behind each, so that none ever stands idle. */
const INSIDE_MAX = 4;
/** The longest that one passage makes way: under lasting load vectors still come, slowly. */
const MAKE_WAY_MS = 500;
const MAKE_WAY_POLL_MS = 10;

/**
 * Lets passages to the model one by one, each as soon as nobody waits for an answer, or after its share of patience. Few
 * are let in at once, because whoever comes to wait meanwhile has all of them in front of him.
 */
export class PassageGate {
  private turn: Promise<void> = Promise.resolve();
  private inside = 0;
  private closed = false;
  private wake: (() => void) | undefined;

  constructor(private readonly makeWay: () => boolean = () => false) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    await (this.turn = this.turn.then(() => this.enter()));
    try {
      return await work();
    } finally {
      this.inside--;
      this.wake?.();
    }
  }

  /** Nobody waits here any longer. */
  close(): void {
    this.closed = true;
    this.wake?.();
  }

  private async enter(): Promise<void> {
    while (!this.closed && this.inside >= INSIDE_MAX) await new Promise<void>((resolve) => (this.wake = resolve));
    const patience = performance.now() + MAKE_WAY_MS;
    while (!this.closed && this.makeWay() && performance.now() < patience) {
      await new Promise((resolve) => setTimeout(resolve, MAKE_WAY_POLL_MS));
    }
    this.inside++;
  }
}
