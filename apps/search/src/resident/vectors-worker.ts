import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fail } from '@cairn/contracts';
import type { AnswerTo, ResidentJob } from './resident-protocol.js';

/** A thread cannot run TypeScript, so tests that load sources use the built file. */
const THREAD_FILE = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../dist/resident/vectors-thread.js' : './vectors-thread.js',
    import.meta.url,
  ),
);
/** Vectors are outside the heap; what a job leaves in it is small. */
const HEAP_MIB = 256;
const NURSERY_MIB = 8;

interface Pending {
  readonly resolve: (answer: AnswerTo<ResidentJob>) => void;
  readonly reject: (reason: Error) => void;
}

export interface VectorsWorkerOptions {
  readonly threadFile?: string;
  /** Called when the thread has ended by itself, with all that it held. */
  readonly onLost?: (cause: unknown) => void;
}

/** The thread that holds the vectors. It starts with the first job, and answers in the order of the jobs. */
export class VectorsWorker {
  private worker: Worker | undefined;
  private pending: Pending[] = [];

  constructor(private readonly options: VectorsWorkerOptions = {}) {}

  do<J extends ResidentJob>(job: J): Promise<AnswerTo<J>> {
    const worker = (this.worker ??= this.start());
    return new Promise<AnswerTo<J>>((resolve, reject) => {
      this.pending.push({ resolve: resolve as Pending['resolve'], reject });
      // A thread with work keeps the process alive, an idle one does not.
      worker.ref();
      worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    const worker = this.worker;
    this.end(worker, undefined);
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.options.threadFile ?? THREAD_FILE, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: NURSERY_MIB },
    });
    worker.on('message', (answer: AnswerTo<ResidentJob>) => {
      this.pending.shift()?.resolve(answer);
      if (this.pending.length === 0) worker.unref();
    });
    worker.on('error', (cause) => this.lose(worker, cause));
    worker.on('exit', (code) => this.lose(worker, new Error(`the thread ended with code ${code}`)));
    worker.unref();
    return worker;
  }

  private lose(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.end(worker, cause);
    this.options.onLost?.(cause);
  }

  private end(worker: Worker | undefined, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const pending = this.pending.splice(0);
    for (const { reject } of pending)
      reject(fail('service.unavailable', 'the thread that holds the vectors has ended', {}, cause));
  }
}
