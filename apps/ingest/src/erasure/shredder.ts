import { asAppError } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import {
  dropAbandonedVersions,
  ERASURE_STEPS,
  followersReached,
  markShredded,
  unshreddedForgettings,
  type Forgetting,
  type Stores,
} from '@cairn/projections';

const PAGE_MAX = 1_000;
/** A store that fails this often in one round is considered unavailable and is tried again in the next one. */
const FAILURES_PER_STORE_MAX = 3;

/** The number of failures of each store in this round. */
type Failures = Map<string, number>;

export interface ShredderOptions extends Stores {
  readonly logger: Logger;
  readonly isStopping: () => boolean;
  /** Adds forgettings to the forget ledger, by their receipts. A repeat does nothing. */
  readonly record: (receiptIds: readonly string[]) => Promise<void>;
  /** Called before each step. */
  readonly onStep?: ((store: string) => void) | undefined;
}

/**
 * Runs the steps of every forgetting: destroys the keys, erases messages, rows and documents. A forgetting that fails
 * does not delay the others: it runs after all of them from then on.
 */
export class Shredder {
  /** Completed steps, by receipt. In memory only: after a restart they are repeated, which changes nothing. */
  private readonly done = new Map<string, number>();
  /** Receipts of the forgettings that are in the ledger. In memory only, as above. */
  private readonly recorded = new Set<string>();
  /** Receipts of failed forgettings, the oldest failure first. */
  private readonly failed = new Set<string>();

  constructor(private readonly options: ShredderOptions) {}

  /** Shreds everything that is not shredded yet. False if something failed. */
  async round(): Promise<boolean> {
    const failures: Failures = new Map();
    const seen = new Set<string>();
    const again = new Map<string, Forgetting>();
    for await (const page of this.pages()) {
      await this.record(page);
      for (const forgetting of page) {
        seen.add(forgetting.receiptId);
        if (this.failed.has(forgetting.receiptId)) again.set(forgetting.receiptId, forgetting);
        else await this.shred(forgetting, failures);
      }
      await this.mark(page);
    }
    const inTurn = [...this.failed].flatMap((receiptId) => again.get(receiptId) ?? []);
    for (const forgetting of inTurn) await this.shred(forgetting, failures);
    await this.mark(inTurn);
    if (!this.options.isStopping()) this.forgetOthers(seen);
    return failures.size === 0;
  }

  /** Runs all steps of some forgettings again, for late arrivals. Returns those that were completed. */
  async repeat(forgettings: readonly Forgetting[]): Promise<Forgetting[]> {
    const failures: Failures = new Map();
    const through: Forgetting[] = [];
    for (const forgetting of forgettings)
      if ((await this.takeSteps(forgetting, 0, failures)) === ERASURE_STEPS.length) through.push(forgetting);
    return through;
  }

  private async *pages(): AsyncGenerator<readonly Forgetting[]> {
    const { pool, isStopping } = this.options;
    for (let after = 0; !isStopping();) {
      const page = await unshreddedForgettings(pool, { after, max: PAGE_MAX });
      yield page;
      if (page.length < PAGE_MAX) return;
      after = page.at(-1)!.position;
    }
  }

  /** Runs before any key is destroyed: from then on, no earlier copy can bring the content back. */
  private async record(forgettings: readonly Forgetting[]): Promise<void> {
    const receiptIds = forgettings.map(({ receiptId }) => receiptId).filter((id) => !this.recorded.has(id));
    if (receiptIds.length === 0) return;
    await this.options.record(receiptIds);
    for (const receiptId of receiptIds) this.recorded.add(receiptId);
  }

  private async shred(forgetting: Forgetting, failures: Failures): Promise<void> {
    const { receiptId } = forgetting;
    if (this.options.isStopping()) return;
    this.done.set(receiptId, await this.takeSteps(forgetting, this.done.get(receiptId) ?? 0, failures));
  }

  /** Returns the number of completed steps. */
  private async takeSteps(forgetting: Forgetting, from: number, failures: Failures): Promise<number> {
    const { receiptId } = forgetting;
    for (const [i, { store, run }] of ERASURE_STEPS.entries()) {
      if (i < from) continue;
      if ((failures.get(store) ?? 0) >= FAILURES_PER_STORE_MAX) return i;
      this.options.onStep?.(store);
      try {
        await run(this.options, forgetting);
      } catch (thrown) {
        failures.set(store, (failures.get(store) ?? 0) + 1);
        this.fail(receiptId, store, thrown);
        return i;
      }
    }
    this.failed.delete(receiptId);
    return ERASURE_STEPS.length;
  }

  private fail(receiptId: string, store: string, thrown: unknown): void {
    const { code, message, cause } = asAppError(thrown);
    this.options.logger.warn({ receiptId, store, code, err: cause ?? thrown }, `a forgetting is stalled: ${message}`);
    this.failed.delete(receiptId);
    this.failed.add(receiptId);
  }

  /** The forgettings whose steps are done, once the projections with their own checkpoints have passed them. */
  private async mark(forgettings: readonly Forgetting[]): Promise<void> {
    const through = forgettings.filter(({ receiptId }) => this.done.get(receiptId) === ERASURE_STEPS.length);
    if (through.length === 0) return;
    const reached = await this.reachedBy(through);
    const shredded = through.filter(({ position }) => position <= reached).map(({ receiptId }) => receiptId);
    if (shredded.length > 0) await markShredded(this.options.pool, shredded);
  }

  /** How far all versions are that may still write content, without those that no process continues. */
  private async reachedBy(forgettings: readonly Forgetting[]): Promise<number> {
    const reached = await followersReached(this.options);
    const waiting = forgettings.filter(({ position }) => position > reached);
    if (waiting.length === 0) return reached;
    await dropAbandonedVersions(this.options.pool, waiting);
    return followersReached(this.options);
  }

  /** Drops the state of shredded forgettings, since they do not come again. */
  private forgetOthers(seen: ReadonlySet<string>): void {
    for (const receiptId of this.done.keys()) if (!seen.has(receiptId)) this.done.delete(receiptId);
    for (const receipts of [this.failed, this.recorded])
      for (const receiptId of receipts) if (!seen.has(receiptId)) receipts.delete(receiptId);
  }
}
