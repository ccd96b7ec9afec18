/** Runs work of the same item one after the other, in the order of the calls. */
export class InItemOrder {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(itemId: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(itemId) ?? Promise.resolve();
    const running = before.then(work, work);
    const settled = running
      .catch(() => undefined)
      .finally(() => {
        if (this.last.get(itemId) === settled) this.last.delete(itemId);
      });
    this.last.set(itemId, settled);
    return running;
  }
}
