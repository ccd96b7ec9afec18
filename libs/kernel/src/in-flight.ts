/** Work that has begun and not ended, so that a shutdown can wait for it (ADR 0140). */
export class InFlight {
  private readonly works = new Set<Promise<unknown>>();

  run<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    const end = (): void => void this.works.delete(done);
    const done: Promise<void> = running.then(end, end);
    this.works.add(done);
    return running;
  }

  /** Resolves when nothing is left, including work that began in the meantime. */
  async empty(): Promise<void> {
    while (this.works.size > 0) await Promise.all(this.works);
  }
}
