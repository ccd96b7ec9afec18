import { Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { assert } from '@cairn/kernel';

/** Memory that the two threads share: a number that is odd while a statement with a limit runs, and that limit. */
export const [RUN, LIMIT_MS] = [0, 1];
const CELLS = 2;

/** The expression that the watching thread evaluates in this one, with the number of the run to end. */
export const END_STATEMENT = 'cairnEndStatement';

/** The memory of PGlite, and the addresses of Postgres' own flags in it. */
interface PostgresMemory {
  /** Replaced by another object when the memory grows. */
  readonly HEAPU8: Uint8Array;
  readonly _QueryCancelPending?: number;
  readonly _InterruptPending?: number;
}

/**
 * `statement_timeout` for PGlite. Postgres ends a statement when a signal has set its cancel flag; PGlite has no signals,
 * and while a statement runs, nothing else runs in its thread. So a second thread watches the time and sets the flag
 * through the inspector, which can interrupt running WebAssembly (ADR 0049).
 */
export class StatementWatch {
  readonly #cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT));
  readonly #memory: PostgresMemory;
  readonly #flags: readonly number[];

  constructor(db: PGlite) {
    this.#memory = db.Module as unknown as PostgresMemory;
    const { _QueryCancelPending: cancel, _InterruptPending: interrupt } = this.#memory;
    assert(cancel !== undefined && interrupt !== undefined, 'PGlite exports the cancel flags of Postgres');
    this.#flags = [cancel, interrupt];
    Object.assign(globalThis, { [END_STATEMENT]: (run: number) => this.#end(run) });
    const program = new URL('./statement-watch-worker.js', import.meta.url);
    new Worker(program, { workerData: this.#cells }).unref();
  }

  /** Runs a statement and cancels it after `limitMs`; 0 means no limit. A cancelled statement fails with error 57014. */
  async run<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
    if (limitMs === 0) return work();
    Atomics.store(this.#cells, LIMIT_MS, limitMs);
    Atomics.add(this.#cells, RUN, 1);
    try {
      return await work();
    } finally {
      Atomics.add(this.#cells, RUN, 1);
      // A flag that was set too late for this statement must not cancel the next one.
      this.#setFlags(0);
    }
  }

  #end(run: number): void {
    if (Atomics.load(this.#cells, RUN) === run) this.#setFlags(1);
  }

  #setFlags(value: 0 | 1): void {
    for (const address of this.#flags) this.#memory.HEAPU8[address] = value;
  }
}
