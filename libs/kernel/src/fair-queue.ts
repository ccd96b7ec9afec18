/** An entry's place in a fair queue. */
export interface Turn {
  /**
   * The callers that take turns, outermost first: a workspace, then optionally a token. Every entry of a queue has the
   * same depth.
   */
  readonly keys: readonly string[];
  /** The cost of the entry, in any comparable unit: bytes, chunks. */
  readonly size: number;
}

/** Receives all keys of a caller. */
type MayTake = (keys: readonly string[]) => boolean;

interface Entry<T> {
  readonly value: T;
  readonly size: number;
  readonly arrival: number;
}

/** Every fourth entry of a lane is its oldest: without this, a stream of small entries would starve a large one. */
const OLDEST_EVERY = 4;

/** The entries of one caller: smallest first, first come first served among equals. */
class Lane<T> {
  private entries: Entry<T>[] = [];
  private served = 0;

  get length(): number {
    return this.entries.length;
  }

  push(entry: Entry<T>): void {
    let [from, to] = [0, this.entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.entries[middle]!.size > entry.size) to = middle;
      else from = middle + 1;
    }
    this.entries.splice(from, 0, entry);
  }

  shift(): T | undefined {
    this.served++;
    const at = this.served % OLDEST_EVERY === 0 ? this.oldest() : 0;
    return this.entries.splice(at, 1)[0]?.value;
  }

  removeWhere(isUnwanted: (value: T) => boolean): void {
    this.entries = this.entries.filter(({ value }) => !isUnwanted(value));
  }

  private oldest(): number {
    return this.entries.reduce((best, { arrival }, at) => (arrival < this.entries[best]!.arrival ? at : best), 0);
  }
}

/** Callers in the order of their turns: a `Map` keeps the order of insertion, and a caller that was served goes last. */
class Round<T> {
  private readonly callers = new Map<string, Round<T> | Lane<T>>();
  length = 0;

  push([key, ...deeper]: readonly string[], entry: Entry<T>): void {
    const caller = this.callers.get(key!) ?? (deeper.length > 0 ? new Round<T>() : new Lane<T>());
    this.callers.set(key!, caller);
    this.length++;
    if (caller instanceof Round) caller.push(deeper, entry);
    else caller.push(entry);
  }

  shift(mayTake: MayTake, above: readonly string[] = []): T | undefined {
    for (const [key, caller] of this.callers) {
      const keys = [...above, key];
      if (caller instanceof Lane && !mayTake(keys)) continue;
      const value = caller instanceof Lane ? caller.shift() : caller.shift(mayTake, keys);
      if (value === undefined) continue;
      this.length--;
      this.callers.delete(key);
      if (caller.length > 0) this.callers.set(key, caller);
      return value;
    }
    return undefined;
  }

  removeWhere(isUnwanted: (value: T) => boolean): void {
    for (const [key, caller] of this.callers) {
      const before = caller.length;
      caller.removeWhere(isUnwanted);
      this.length -= before - caller.length;
      if (caller.length === 0) this.callers.delete(key);
    }
  }

  count([key, ...deeper]: readonly string[]): number {
    const caller = key === undefined ? this : this.callers.get(key);
    return caller instanceof Round && deeper.length > 0 ? caller.count(deeper) : (caller?.length ?? 0);
  }
}

/**
 * A queue in which callers take turns, so that a caller with much work delays another by one entry and not by all of
 * its entries. Within a caller the smaller entry goes first, and among equals the older one (ADR 0052).
 */
export class FairQueue<T> {
  private readonly round = new Round<T>();
  private arrivals = 0;

  get length(): number {
    return this.round.length;
  }

  push(value: T, { keys, size }: Turn): void {
    this.round.push(keys, { value, size, arrival: this.arrivals++ });
  }

  /** The next entry of a caller that may take one now; undefined if there is none. */
  shift(mayTake: MayTake = () => true): T | undefined {
    return this.round.shift(mayTake);
  }

  /** Drops entries that no one needs any longer. Reads the whole queue. */
  removeWhere(isUnwanted: (value: T) => boolean): void {
    this.round.removeWhere(isUnwanted);
  }

  /** How many entries are waiting under these keys: those of a workspace, or of one of its tokens. */
  count(keys: readonly string[]): number {
    return this.round.count(keys);
  }
}
