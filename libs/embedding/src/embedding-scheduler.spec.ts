import { describe, expect, it } from '@jest/globals';
import { EmbeddingScheduler } from './embedding-scheduler.js';
import { WorkerCrashed, type EmbeddingWorker } from './embedding-worker.js';

/** A worker that answers when the test says so. */
class ManualWorker implements EmbeddingWorker {
  readonly ready = Promise.resolve(1);
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

  crash(): Promise<void> {
    this.settle!.reject(new WorkerCrashed('gone'));
    return nextTurn();
  }

  refuse(): Promise<void> {
    this.settle!.reject(new Error('a token it does not know'));
    return nextTurn();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function schedulerOf(workerCount: number, queueMax?: { query: number; passage: number }) {
  const workers: ManualWorker[] = [];
  const start = () => {
    const worker = new ManualWorker();
    workers.push(worker);
    return worker;
  };
  return { scheduler: new EmbeddingScheduler(start, workerCount, queueMax), workers };
}

const outcomeOf = (promise: Promise<Float32Array>): Promise<unknown> =>
  promise.then(
    (vector) => vector[0],
    (error: unknown) => (error as { code: string }).code,
  );

describe('EmbeddingScheduler', () => {
  it('gives a worker one text at a time, and each worker its own', async () => {
    const { scheduler, workers } = schedulerOf(2);
    const done = Promise.all(['a', 'b', 'c'].map((text) => scheduler.submit(text, 'passage')));
    expect(workers.map((worker) => worker.seen)).toEqual([['a'], ['b']]);
    await workers[1]!.answer();
    expect(workers.map((worker) => worker.seen)).toEqual([['a'], ['b', 'c']]);
    await workers[0]!.answer();
    await workers[1]!.answer();
    expect(await done).toHaveLength(3);
  });

  it('takes a query next, however many passages wait', async () => {
    const { scheduler, workers } = schedulerOf(1);
    const passages = Array.from({ length: 50 }, (_, index) => outcomeOf(scheduler.submit(`p${index}`, 'passage')));
    const query = scheduler.submit('q', 'query');
    await workers[0]!.answer();
    expect(workers[0]!.seen).toEqual(['p0', 'q']);
    await workers[0]!.answer(7);
    expect((await query)[0]).toBe(7);
    await scheduler.close();
    expect(await Promise.all(passages)).toEqual([1, ...new Array<string>(49).fill('embedder.unavailable')]);
  });

  it('refuses a query over the bound as busy and keeps those that wait', async () => {
    const { scheduler, workers } = schedulerOf(1, { query: 1, passage: 1 });
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
    const { scheduler, workers } = schedulerOf(1);
    const vector = scheduler.submit('text', 'query');
    await workers[0]!.crash();
    expect(workers[1]!.seen).toEqual(['text']);
    await workers[1]!.answer(9);
    expect((await vector)[0]).toBe(9);
  });

  it('gives up on a text that crashed two workers and goes on with the next', async () => {
    const { scheduler, workers } = schedulerOf(1);
    const poison = outcomeOf(scheduler.submit('poison', 'passage'));
    const good = scheduler.submit('good', 'passage');
    await workers[0]!.crash();
    await workers[1]!.crash();
    expect(await poison).toBe('embedder.unavailable');
    await workers[2]!.answer(4);
    expect((await good)[0]).toBe(4);
    expect(workers).toHaveLength(3);
  });

  it('does not retry a text that the model itself refused', async () => {
    const { scheduler, workers } = schedulerOf(1);
    const refused = outcomeOf(scheduler.submit('text', 'query'));
    await workers[0]!.refuse();
    expect(await refused).toBe('embedder.unavailable');
    expect(workers[0]!.seen).toEqual(['text']);
  });

  it('rejects what runs and what waits when it is closed, and stops its workers', async () => {
    const { scheduler, workers } = schedulerOf(1);
    const outcomes = ['running', 'waiting'].map((text) => outcomeOf(scheduler.submit(text, 'query')));
    await scheduler.close();
    expect(await Promise.all(outcomes)).toEqual(['embedder.unavailable', 'embedder.unavailable']);
    await workers[0]!.crash();
    expect(workers.map((worker) => worker.stopped)).toEqual([true]);
  });
});
