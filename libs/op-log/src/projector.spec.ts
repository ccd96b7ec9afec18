import { afterEach, describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { EntryQueue } from './entry-queue.js';
import type { EntryReader } from './op-log.port.js';
import { Projector, type Checkpoint, type ProjectionTarget, type Turn } from './projector.js';

interface Entry {
  readonly position: number;
}

/** A log of numbers that readers can follow. */
class NumberLog {
  private readonly entries: Entry[] = [];
  private readonly readers = new Set<EntryQueue<Entry>>();
  readonly starts: number[] = [];

  append(count: number): void {
    for (let i = 0; i < count; i++) {
      const entry = { position: this.entries.length + 1 };
      this.entries.push(entry);
      for (const reader of this.readers) reader.push(entry);
    }
  }

  readonly read = (from: number): EntryReader<Entry> => {
    this.starts.push(from);
    const reader: EntryQueue<Entry> = new EntryQueue(() => Promise.resolve(void this.readers.delete(reader)));
    for (const entry of this.entries.slice(from - 1)) reader.push(entry);
    this.readers.add(reader);
    return reader;
  };

  get openReaders(): number {
    return this.readers.size;
  }
}

/** Records what was applied. Can be made to fail, and its checkpoint can be moved without the projector's knowledge. */
class RecordingTarget implements ProjectionTarget<Entry> {
  readonly name = 'numbers';
  readonly batches: number[][] = [];
  readonly announced: number[][] = [];
  current: Checkpoint = { position: 0, epoch: 1 };
  failures: AppError[] = [];

  checkpoint(): Promise<Checkpoint> {
    return Promise.resolve(this.current);
  }

  announce(entries: readonly Entry[]): void {
    this.announced.push(entries.map((entry) => entry.position));
  }

  apply(entries: readonly Entry[], expected: Checkpoint, reached: number): Promise<'applied' | 'fenced'> {
    const failure = this.failures.shift();
    if (failure) return Promise.reject(failure);
    const { position, epoch } = this.current;
    if (position !== expected.position || epoch !== expected.epoch) return Promise.resolve('fenced');
    this.batches.push(entries.map((entry) => entry.position));
    this.current = { position: reached, epoch };
    return Promise.resolve('applied');
  }

  get applied(): number[] {
    return this.batches.flat();
  }
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** A turn that a test gives and takes. */
class TestTurn implements Turn {
  isOurs = false;
  private readonly waiting = new Set<() => void>();

  changed(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve));
  }

  /** Also without a change, as when the time to wait is over. */
  set(isOurs: boolean): void {
    this.isOurs = isOurs;
    for (const resolve of [...this.waiting]) resolve();
    this.waiting.clear();
  }
}

const projectors: Projector<Entry>[] = [];
const setUp = (onFailure?: (error: AppError) => void) => {
  const log = new NumberLog();
  const target = new RecordingTarget();
  const projector = new Projector(target, log.read, { failed: (_name, error) => onFailure?.(error) });
  projectors.push(projector);
  return { log, target, projector };
};

afterEach(() => Promise.all(projectors.splice(0).map((projector) => projector.stop())));

describe('a projector', () => {
  it('applies stored and new entries in order, in batches', async () => {
    const { log, target, projector } = setUp();
    log.append(600);
    projector.start();
    expect(await projector.caughtUp(600, 5_000)).toBe(true);
    log.append(1);
    expect(await projector.caughtUp(601, 5_000)).toBe(true);
    expect(target.batches.map((batch) => batch.length)).toEqual([256, 256, 88, 1]);
    expect(target.applied).toEqual(upTo(601));
    expect(projector.reached).toBe(601);
  });

  it('announces the next entries while a full batch is applied, and waits for more after a smaller one', async () => {
    const { log, target, projector } = setUp();
    log.append(600);
    projector.start();
    expect(await projector.caughtUp(600, 5_000)).toBe(true);
    log.append(2);
    expect(await projector.caughtUp(602, 5_000)).toBe(true);
    expect(target.announced).toEqual(target.batches.slice(1, 3));
  });

  it('applies the entries before one that cannot be read', async () => {
    const target = new RecordingTarget();
    const read = (from: number): EntryReader<Entry> => {
      const queue = new EntryQueue<Entry>();
      for (const position of upTo(256, from)) queue.push({ position });
      queue.fail(fail('contract.unknown_event', 'unreadable'));
      return queue;
    };
    await expect(new Projector(target, read).runTo(300)).rejects.toMatchObject({ code: 'contract.unknown_event' });
    expect(target.applied).toEqual(upTo(256));
  });

  it('holds at an entry of a newer version, and goes on once a newer process has applied it', async () => {
    const target = new RecordingTarget();
    const events: string[] = [];
    const held = fail('contract.unknown_event', 'written by a newer version of Cairn');
    let failures = 0;
    /** Position 3 is not readable here. */
    const read = (from: number): EntryReader<Entry> => {
      const queue = new EntryQueue<Entry>();
      for (const position of upTo(5, from).filter((at) => at < 3 || from > 3)) queue.push({ position });
      if (from <= 3) queue.fail(held);
      return queue;
    };
    const projector = new Projector(target, read, {
      failed: (_, { code }) => {
        events.push(code);
        if (++failures === 3) target.current = { position: 3, epoch: 1 };
      },
      recovered: () => events.push('recovered'),
    });
    projector.start();
    expect(await projector.caughtUp(5, 5_000)).toBe(true);
    await projector.stop();
    expect(target.applied).toEqual([1, 2, 4, 5]);
    expect(events).toEqual([...Array.from({ length: 3 }, () => held.code), 'recovered']);
    expect(projector.failure).toBeUndefined();
  });

  it('continues after its checkpoint', async () => {
    const { log, target, projector } = setUp();
    log.append(10);
    target.current = { position: 7, epoch: 1 };
    projector.start();
    expect(await projector.caughtUp(10, 5_000)).toBe(true);
    expect(target.applied).toEqual([8, 9, 10]);
  });

  it('starts again at its checkpoint on request, without waiting for a new entry', async () => {
    const { log, target, projector } = setUp();
    log.append(5);
    projector.start();
    await projector.caughtUp(5, 5_000);
    target.current = { position: 0, epoch: 2 };
    projector.reread();
    while (target.applied.length < 10) await new Promise((resolve) => setImmediate(resolve));
    expect(target.applied).toEqual([...upTo(5), ...upTo(5)]);
    expect([projector.reached, log.starts, log.openReaders]).toEqual([5, [1, 1], 1]);
  });

  it.each<[string, Checkpoint, number]>([
    ['forward by a rival', { position: 8, epoch: 1 }, 9],
    ['back by a rebuild', { position: 2, epoch: 2 }, 3],
  ])('reads its checkpoint again when that was moved %s', async (_, moved, first) => {
    const { log, target, projector } = setUp();
    log.append(5);
    projector.start();
    await projector.caughtUp(5, 5_000);
    target.current = moved;
    log.append(5);
    expect(await projector.caughtUp(10, 5_000)).toBe(true);
    expect(target.applied).toEqual([...upTo(5), ...upTo(10, first)]);
    expect(log.openReaders).toBe(1);
  });

  it('has no failure any more once the checkpoint can be read again, even if there is nothing to apply', async () => {
    const { target, projector } = setUp();
    let isReachable = false;
    target.checkpoint = () =>
      isReachable ? Promise.resolve(target.current) : Promise.reject(fail('projection.unavailable', 'no database'));
    projector.start();
    while (projector.failure === undefined) await new Promise(setImmediate);
    isReachable = true;
    while (projector.failure !== undefined) await new Promise(setImmediate);
    expect(target.batches).toEqual([]);
  });

  it('retries after a failure and skips no entry', async () => {
    const failures: string[] = [];
    const { log, target, projector } = setUp((error) => failures.push(error.code));
    target.failures = [fail('projection.unavailable', 'no database'), fail('projection.unavailable', 'no database')];
    log.append(3);
    projector.start();
    expect(await projector.caughtUp(3, 5_000)).toBe(true);
    expect(failures).toEqual(['projection.unavailable', 'projection.unavailable']);
    expect(target.applied).toEqual([1, 2, 3]);
    expect(log.starts).toEqual([1, 1, 1]);
    expect(projector.failure).toBeUndefined();
  });

  it('stops before an entry that it cannot apply, and reports the reason', async () => {
    let seen = 0;
    let twice: () => void;
    const failedTwice = new Promise<void>((resolve) => (twice = resolve));
    const { log, target, projector } = setUp(() => ++seen === 2 && twice());
    target.failures = Array.from({ length: 50 }, () => fail('internal.defect', 'a bug'));
    log.append(1);
    projector.start();
    await failedTwice;
    expect(projector.failure).toMatchObject({ code: 'internal.defect' });
    expect(projector.reached).toBe(0);
    expect(target.applied).toEqual([]);
  });

  it('returns false when a position is not reached in time, or when it stops before', async () => {
    const { log, projector } = setUp();
    log.append(1);
    projector.start();
    expect(await projector.caughtUp(2, 20)).toBe(false);
    const waiting = projector.caughtUp(2, 60_000);
    await projector.stop();
    expect(await waiting).toBe(false);
  });

  it('runs to a position and stops there, as a rebuild does', async () => {
    const { log, target, projector } = setUp();
    log.append(300);
    await projector.runTo(300);
    expect(target.applied).toEqual(upTo(300));
    expect(log.openReaders).toBe(0);
  });

  it('needs no entry to run to its current position', async () => {
    const { projector } = setUp();
    await projector.runTo(0);
    expect(projector.reached).toBe(0);
  });

  it('gives up a rebuild at a defect, but not while a dependency is unavailable', async () => {
    const { log, target, projector } = setUp();
    target.failures = [fail('projection.unavailable', 'no database'), fail('internal.defect', 'a bug')];
    log.append(1);
    await expect(projector.runTo(1)).rejects.toMatchObject({ code: 'internal.defect' });
  });

  it('stops without waiting for an entry', async () => {
    const { projector } = setUp();
    projector.start();
    await projector.caughtUp(0, 5_000);
    const started = performance.now();
    await projector.stop();
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('a projector that shares its work', () => {
  const setUpShared = () => {
    const { log, target } = setUp();
    const turn = new TestTurn();
    const projector = new Projector(target, log.read, {}, undefined, turn);
    projectors.push(projector);
    return { log, target, turn, projector };
  };

  it('applies nothing while another process does, and knows how far that one is from its notices', async () => {
    const { log, target, projector } = setUpShared();
    log.append(5);
    target.current = { position: 3, epoch: 1 };
    projector.start();
    expect(await projector.caughtUp(3, 5_000)).toBe(true);
    const applied = projector.caughtUp(5, 60_000);
    projector.observe(4);
    projector.observe(5);
    projector.observe(4);
    expect(await applied).toBe(true);
    expect([projector.reached, log.starts, target.applied]).toEqual([5, [], []]);
  });

  it('reads the checkpoint again while someone waits, because a notice may be lost', async () => {
    const { target, turn, projector } = setUpShared();
    projector.start();
    await projector.caughtUp(0, 5_000);
    const applied = projector.caughtUp(4, 60_000);
    target.current = { position: 4, epoch: 1 };
    turn.set(false);
    expect(await applied).toBe(true);
  });

  it('takes over from the checkpoint, and gives the work up again', async () => {
    const { log, target, turn, projector } = setUpShared();
    log.append(5);
    target.current = { position: 3, epoch: 1 };
    projector.start();
    await projector.caughtUp(3, 5_000);
    turn.set(true);
    expect(await projector.caughtUp(5, 5_000)).toBe(true);
    turn.set(false);
    log.append(1);
    while (log.openReaders > 0) await new Promise(setImmediate);
    log.append(4);
    target.current = { position: 10, epoch: 1 };
    turn.set(false);
    expect(await projector.caughtUp(10, 5_000)).toBe(true);
    expect(target.applied.filter((position) => position > 6)).toEqual([]);
    expect(target.applied.slice(0, 2)).toEqual([4, 5]);
  });

  it('reports a checkpoint that it cannot read, so that it does not take over', async () => {
    const { target, projector } = setUpShared();
    target.checkpoint = () => Promise.reject(fail('projection.unavailable', 'no database'));
    projector.start();
    while (projector.failure === undefined) await new Promise(setImmediate);
    target.checkpoint = () => Promise.resolve(target.current);
    while (projector.failure !== undefined) await new Promise(setImmediate);
  });

  it('stops at once while it waits', async () => {
    const { projector } = setUpShared();
    projector.start();
    await projector.caughtUp(0, 5_000);
    await projector.stop();
  });
});
