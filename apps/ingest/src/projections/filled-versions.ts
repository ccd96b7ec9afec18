import { plural } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import { Projector, type Turn } from '@cairn/op-log';
import {
  createIndexes,
  ensureSlot,
  goLive,
  homeOf,
  logOf,
  nextVersion,
  passErased,
  readSlot,
  readSlots,
  type Build,
  type Projection,
  type Replaceable,
  type Stores,
  type StreamName,
  type Streams,
} from '@cairn/projections';
import { installRanking } from '@cairn/ranking';

export interface FilledVersionsOptions {
  readonly stores: Stores;
  /** Which replica of the build fills them. */
  readonly turn: Turn;
  readonly logger: Logger;
}

type Filler = Pick<Projector<never>, 'start' | 'stop' | 'caughtUp' | 'reached' | 'observe'>;

interface Filling extends Replaceable {
  readonly filler: Filler;
}

const PROGRESS_MS = 1_000;
/** How long a version may take to reach the live one before a swap is tried. */
const CLOSE_WITHIN_MS = 1_000;

const fillerOf = <S extends StreamName>(
  { stores, turn, logger }: FilledVersionsOptions,
  projection: Projection<S>,
  slot: string,
): Filler => {
  const log = logOf(stores, projection.stream);
  const listener = {
    failed: (name: string, { code, message }: { readonly code: string; readonly message: string }) =>
      logger.warn({ code, projection: name }, `the version beside the live one is stalled: ${message}`),
  };
  return new Projector<Streams[S]>(
    homeOf(projection, stores).target(slot),
    (from) => log.read(from),
    listener,
    undefined,
    turn,
  );
};

const openFilling = async (options: FilledVersionsOptions, other: Replaceable): Promise<Filling> => {
  const { stores } = options;
  const { projection, live, beside } = other;
  const version = await nextVersion(stores.pool, projection.name);
  const slot = { name: beside, version, epoch: (live?.checkpoint.epoch ?? 0) + 1 };
  await ensureSlot(stores.pool, homeOf(projection, stores).shape, slot, { indexes: 'later' });
  return { ...other, filler: fillerOf(options, projection, beside) };
};

/** The versions of a build, which follow the log beside the live ones until they replace them. */
export class FilledVersions {
  private constructor(
    private readonly options: FilledVersionsOptions,
    private readonly fillings: readonly Filling[],
  ) {}

  static async open(options: FilledVersionsOptions, others: readonly Replaceable[]): Promise<FilledVersions> {
    const fillings = await Promise.all(others.map((other) => openFilling(options, other)));
    for (const { filler } of fillings) filler.start();
    return new FilledVersions(options, fillings);
  }

  get replaced(): readonly Replaceable[] {
    return this.fillings;
  }

  async stop(): Promise<void> {
    await Promise.all(this.fillings.map(({ filler }) => filler.stop()));
  }

  /**
   * Resolves to true when all versions have reached the heads of their logs and have their indexes, and to false when the
   * work is interrupted or of no use any more.
   */
  async fill(isInterrupted: () => boolean): Promise<boolean> {
    const { stores } = this.options;
    for (const { projection, filler } of this.fillings) {
      const head = await logOf(stores, projection.stream).head();
      while (!(await filler.caughtUp(head, PROGRESS_MS))) {
        if (isInterrupted() || !(await this.areWanted())) return false;
        this.report(projection, filler.reached, head);
      }
    }
    if (isInterrupted()) return false;
    for (const { projection, beside } of this.fillings)
      await createIndexes(stores.pool, homeOf(projection, stores).shape, beside);
    return true;
  }

  /** False when another build has gone live meanwhile, or a forgetting has dropped a version. */
  async areWanted(): Promise<boolean> {
    const names = this.fillings.flatMap(({ projection, beside }) => [projection.name, beside]);
    const now = await readSlots(this.options.stores.pool, names);
    return this.fillings.every(
      ({ projection, live, beside }) => now.get(projection.name)?.layout === live?.layout && now.has(beside),
    );
  }

  /** Replaces the live versions. False if they are ahead for longer than `waitMs`. */
  async goLive(build: Build, waitMs: number): Promise<boolean> {
    const { stores } = this.options;
    await this.passErased();
    // The functions that searches call change together with the tables.
    const options = { waitMs, atLast: installRanking };
    if (!(await this.areClose()) || !(await goLive(stores.pool, build, this.fillings, options))) return false;
    for (const { projection } of this.fillings) {
      const slot = await readSlot(stores.pool, projection.name);
      if (slot) await homeOf(projection, stores).outside?.swapped(slot);
    }
    return true;
  }

  /** Whether the versions are where the live ones were a moment ago: a swap keeps the writers of those waiting. */
  private async areClose(): Promise<boolean> {
    const reached = this.fillings.map(async ({ projection, filler }) => {
      const live = await readSlot(this.options.stores.pool, projection.name);
      return filler.caughtUp(live?.checkpoint.position ?? 0, CLOSE_WITHIN_MS);
    });
    return (await Promise.all(reached)).every(Boolean);
  }

  /** The newest entries that the live version has applied may be erased: vectors are, with what they were made of. */
  private async passErased(): Promise<void> {
    const { stores } = this.options;
    for (const { projection, beside, filler } of this.fillings) {
      // In this order: an entry that is appended meanwhile is at the head, and not skipped.
      const reached = (await readSlot(stores.pool, projection.name))?.checkpoint.position ?? 0;
      const head = await logOf(stores, projection.stream).head();
      if (filler.reached < head || filler.reached >= reached) continue;
      await passErased(stores.pool, beside, filler.reached, reached);
      filler.observe(reached);
    }
  }

  private report({ name }: Projection, position: number, head: number): void {
    const done = Math.max(0, position);
    this.options.logger.info(
      { projection: name, position: done, head },
      `filling ${name}: ${done} of ${plural(head, 'op')}`,
    );
  }
}
