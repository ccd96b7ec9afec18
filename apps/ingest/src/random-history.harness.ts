import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { asAppError } from '@cairn/contracts';
import type { ErrorCode } from '@cairn/kernel';
import { forgettingBacklog } from '@cairn/projections';
import fc from 'fast-check';
import type { IngestUnderTest } from './ingest-under-test.harness.js';
import { ACTIONS, World, type Numbers, type StepKind } from './random-steps.harness.js';
import { OP_PROJECTIONS, rebuilt } from './rebuilt.harness.js';

type Step = Numbers & { readonly kind: StepKind };

/** The refusals that a step may meet. Every other error fails the history. */
const REFUSALS: Partial<Record<StepKind, readonly ErrorCode[]>> = {
  link: ['link.to_itself'],
  // Gone with one of its ends.
  unlink: ['link.not_found'],
  // Outside of the knowledge base a chunk cannot be named.
  observe: ['chunk.not_found'],
};

/** Gives the first random step something of every kind to change and to forget. */
const BEGINNING = (['store', 'commit', 'attach', 'retain', 'sync', 'import', 'purge'] as const).map((kind): Step => ({
  kind,
  at: 10,
  a: 4,
  b: 1,
}));

/** Until nothing is left of what was forgotten: a rebuild then reads a log without those ops. */
const untilShredded = async ({ pool }: IngestUnderTest): Promise<void> => {
  while ((await forgettingBacklog(pool)).unshredded > 0) await sleep(20);
};

export interface Histories {
  /** One that is named twice comes twice as often. */
  readonly kinds: readonly StepKind[];
  readonly stepsMax: number;
  readonly runs: number;
  readonly seed: number;
}

/**
 * Carries out random histories, and after each compares the tables of every projection that is made of ops with those
 * that the log gives when it is read again. Where the service erases, that is once it has. Returns what was done: each
 * kind of step at least once, since a property holds by itself of steps that are always refused.
 */
export const rebuiltAfterRandomHistories = async (
  ingest: IngestUnderTest,
  { kinds, stepsMax, runs, seed }: Histories,
): Promise<readonly string[]> => {
  const done = new Map<string, StepKind>();
  const carryOut = async (world: World, { kind, ...numbers }: Step): Promise<void> => {
    try {
      const what = await ACTIONS[kind](world, numbers);
      if (what !== undefined) done.set(what, kind);
    } catch (thrown) {
      if (!REFUSALS[kind]?.includes(asAppError(thrown).code)) throw thrown;
    }
  };
  const step = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(50), a: fc.nat(4), b: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: stepsMax / 2, maxLength: stepsMax }), async (steps) => {
      const world = await World.create(ingest);
      for (const one of [...BEGINNING, ...steps]) await carryOut(world, one);
      if (ingest.config.erases) await untilShredded(ingest);
      const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
      expect(next).toEqual(live);
    }),
    // A run takes seconds, so a failing history is reported as it is.
    { numRuns: runs, seed, endOnFailure: true },
  );
  expect([...done.values()]).toEqual(expect.arrayContaining([...kinds]));
  return [...done.keys()];
};
