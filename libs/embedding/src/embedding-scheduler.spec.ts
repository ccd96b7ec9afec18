import { describe, expect, it } from '@jest/globals';
import { EmbeddingScheduler, type EmbeddingSchedulerOptions } from './embedding-scheduler.js';
import { WorkerCrashed, type EmbeddingWorker } from './embedding-worker.js';

/** A worker that loads, answers and ends on the test's command. */
class ManualWorker implements EmbeddingWorker {
  private setReady!: (dimensions: number) => void;
  private setEnded!: (reason: string) => void;
  readonly ready = new Promise<number>((resolve) => (this.setReady = resolve));
  readonly ended = new Promise<string>((resolve) => (this.setEnded = resolve));
  readonly seen: string[] = [];
  stopped = false;
  private settle: { resolve: (vector: Float32Array) => void; reject: (error: unknown) => void } | undefined;

  infer(text: string): Promise<Float32Array> {
    this.seen.push(text);
    return new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }

  answer(value = 1): Promise<void> {
    this.settle!.resolve(Float32Array.of(value));
    return nextTurn();
  }

  load(): Promise<void> {
    this.setReady(1);
    return nextTurn();
  }

  /** Whether it is in use or idle. */
  crash(): Promise<void> {
    this.setEnded('gone');
    this.settle?.reject(new WorkerCrashed('gone'));
    return nextTurn();
  }

  refuse(): Promise<void> {
    this.settle!.reject(new Error('a token it does not know'));
    return nextTurn();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The first workers have loaded the model; replacements load, and delays end, on the test's command. */
const schedulerOf = async (workerCount: number, queueMax?: EmbeddingSchedulerOptions['queueMax']) => {
  const workers: ManualWorker[] = [];
  const startWorker = () => {
    const worker = new ManualWorker();
    workers.push(worker);
    return worker;
  };
  const delays: number[] = [];
  let elapse = (): void => undefined;
  const setTimer = (callback: () => void, ms: number) => (
    delays.push(ms),
    (elapse = callback),
    () => (elapse = () => undefined)
  );
  const scheduler = new EmbeddingScheduler({ startWorker, workerCount, queueMax, setTimer });
  await Promise.all(workers.map((worker) => worker.load()));
  return { scheduler, workers, delays, elapse: () => (elapse(), nextTurn()) };
};

const outcomeOf = (promise: Promise<Float32Array>): Promise<unknown> =>
  promise.then(
    (vector) => vector[0],
    (error: unknown) => (error as { code: string }).code,
  );

describe('EmbeddingScheduler', () => {
  it('gives a worker one text at a time, and each worker its own', async () => {
    const { scheduler, workers } = await schedulerOf(2);
    const done = Promise.all(['a', 'b', 'c'].map((text) => scheduler.submit(text, 'passage')));
    expect(workers.map((worker) => worker.seen)).toEqual([['a'], ['b']]);
    await workers[1]!.answer();
    expect(workers.map((worker) => worker.seen)).toEqual([['a'], ['b', 'c']]);
    await workers[0]!.answer();
    await workers[1]!.answer();
    expect(await done).toHaveLength(3);
  });

  it('takes a query next, however many passages wait', async () => {
    const { scheduler, workers } = await schedulerOf(1);
    const passages = Array.from({ length: 50 }, (_, index) => outcomeOf(scheduler.submit(`p${index}`, 'passage')));
    const query = scheduler.submit('q', 'query');
    await workers[0]!.answer();
    expect(workers[0]!.seen).toEqual(['p0', 'q']);
    await workers[0]!.answer(7);
    expect((await query)[0]).toBe(7);
    await scheduler.close();
    expect(await Promise.all(passages)).toEqual([1, ...new Array<string>(49).fill('embedder.unavailable')]);
  });

  it('refuses a query over the bound as busy and keeps those that are waiting', async () => {
    const { scheduler, workers } = await schedulerOf(1, { query: 1, passage: 1 });
    const running = scheduler.submit('running', 'query');
    const waiting = scheduler.submit('waiting', 'query');
    await expect(scheduler.submit('too many', 'query')).rejects.toMatchObject({
      code: 'embedder.busy',
      kind: 'unavailable',
    });
    await workers[0]!.answer(1);
    await workers[0]!.answer(2);
    expect([(await running)[0], (await waiting)[0]]).toEqual([1, 2]);
  });

  it('replaces a crashed worker and tries its text once more', async () => {
    const { scheduler, workers } = await schedulerOf(1);
    const vector = scheduler.submit('text', 'query');
    await workers[0]!.crash();
    expect(workers[1]!.seen).toEqual([]);
    await workers[1]!.load();
    expect(workers[1]!.seen).toEqual(['text']);
    await workers[1]!.answer(9);
    expect((await vector)[0]).toBe(9);
  });

  it('gives up on a text that crashed two workers and continues with the next', async () => {
    const { scheduler, workers, elapse } = await schedulerOf(1);
    const poison = outcomeOf(scheduler.submit('poison', 'passage'));
    const good = scheduler.submit('good', 'passage');
    await workers[0]!.crash();
    await workers[1]!.load();
    await workers[1]!.crash();
    expect(await poison).toBe('embedder.unavailable');
    await elapse();
    await workers[2]!.load();
    await workers[2]!.answer(4);
    expect((await good)[0]).toBe(4);
    expect(workers).toHaveLength(3);
  });

  it('does not retry a text that the model itself refuses', async () => {
    const { scheduler, workers } = await schedulerOf(1);
    const refused = outcomeOf(scheduler.submit('text', 'query'));
    await workers[0]!.refuse();
    expect(await refused).toBe('embedder.unavailable');
    expect(workers[0]!.seen).toEqual(['text']);
  });

  it('rejects running and waiting texts when it is closed, and stops its workers', async () => {
    const { scheduler, workers } = await schedulerOf(1);
    const outcomes = ['running', 'waiting'].map((text) => outcomeOf(scheduler.submit(text, 'query')));
    await scheduler.close();
    expect(await Promise.all(outcomes)).toEqual(['embedder.unavailable', 'embedder.unavailable']);
    await workers[0]!.crash();
    expect(workers.map((worker) => worker.stopped)).toEqual([true]);
  });
});

describe('EmbeddingScheduler when idle workers are killed', () => {
  it('replaces them at once, before a text needs them', async () => {
    const { workers, delays } = await schedulerOf(2);
    await Promise.all([workers[0]!.crash(), workers[1]!.crash()]);
    expect(workers).toHaveLength(4);
    expect(delays).toEqual([]);
  });

  it('keeps texts until a replacement is ready, and loses none', async () => {
    const { scheduler, workers } = await schedulerOf(2);
    await Promise.all([workers[0]!.crash(), workers[1]!.crash()]);
    const vector = scheduler.submit('text', 'passage');
    await workers[3]!.load();
    expect(workers.map(({ seen }) => seen)).toEqual([[], [], [], ['text']]);
    await workers[3]!.answer(5);
    expect((await vector)[0]).toBe(5);
  });

  it('reports a problem while no worker is ready, and none before or after', async () => {
    const { scheduler, workers } = await schedulerOf(2);
    await workers[0]!.crash();
    expect(scheduler.problem).toBeUndefined();
    await workers[1]!.crash();
    expect(scheduler.problem).toBe('The embedding processes are restarting (gone).');
    await workers[2]!.load();
    expect(scheduler.problem).toBeUndefined();
  });
});

describe('EmbeddingScheduler in a crash loop', () => {
  it('delays each further start, up to a bound, until a text is embedded', async () => {
    const { scheduler, workers, delays, elapse } = await schedulerOf(1);
    await workers[0]!.crash();
    for (let crashes = 0; crashes < 8; crashes++) {
      await workers.at(-1)!.crash();
      await elapse();
    }
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    await workers.at(-1)!.load();
    const vector = scheduler.submit('text', 'passage');
    await workers.at(-1)!.answer(1);
    await vector;
    const started = workers.length;
    await workers.at(-1)!.crash();
    expect([workers.length, delays.length]).toEqual([started + 1, 8]);
  });

  it('refuses queries while a start is delayed, and keeps passages', async () => {
    const { scheduler, workers, elapse } = await schedulerOf(1);
    await workers[0]!.crash();
    await workers[1]!.crash();
    const passage = scheduler.submit('passage', 'passage');
    expect(await outcomeOf(scheduler.submit('query', 'query'))).toBe('embedder.unavailable');
    await elapse();
    await workers[2]!.load();
    await workers[2]!.answer(3);
    expect((await passage)[0]).toBe(3);
  });

  it('starts nothing more once it is closed', async () => {
    const { scheduler, workers, elapse } = await schedulerOf(1);
    await workers[0]!.crash();
    await workers[1]!.crash();
    await scheduler.close();
    await elapse();
    expect(workers).toHaveLength(2);
  });
});
