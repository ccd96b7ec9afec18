import { Worker } from 'node:worker_threads';
import { WorkerCrashed, type EmbeddingWorker } from './embedding-worker.js';
import type { OnnxModelSpec } from './onnx-model-spec.js';
// Kept loaded by the main thread: once its last user is gone, this native library cannot be loaded a second time.
import './onnx-runtime.js';
import { STOP, type WorkerMessage } from './worker-protocol.js';

interface Deferred<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread cannot run TypeScript: under a test runner that loads sources, the built file stands in. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith('.ts') ? '../dist/onnx-worker.js' : './onnx-worker.js',
  import.meta.url,
);

/** Our end of an embedding thread. */
export class OnnxWorkerThread implements EmbeddingWorker {
  readonly ready: Promise<number>;
  private readonly thread: Worker;
  private readonly ended: Promise<unknown>;
  private readyDeferred!: Deferred<number>;
  private pending: Deferred<Float32Array> | undefined;
  private failure: WorkerCrashed | undefined;

  constructor(spec: OnnxModelSpec) {
    this.ready = new Promise((resolve, reject) => (this.readyDeferred = { resolve, reject }));
    // A replacement's failure to load shows in the text it was given; nobody awaits its `ready`.
    this.ready.catch(() => undefined);
    this.thread = new Worker(WORKER_FILE, { workerData: spec });
    this.ended = new Promise((resolve) => this.thread.once('exit', resolve));
    this.thread.on('message', (message: WorkerMessage) => this.onMessage(message));
    this.thread.on('error', (error) => this.onEnd(error.message));
    this.thread.on('exit', (code) => this.onEnd(`the thread ended with code ${code}`));
  }

  infer(text: string): Promise<Float32Array> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.thread.postMessage(text);
    });
  }

  async stop(): Promise<void> {
    this.thread.postMessage(STOP);
    await this.ended;
  }

  private onMessage(message: WorkerMessage): void {
    if (message.type === 'ready') return this.readyDeferred.resolve(message.dimensions);
    const pending = this.pending;
    this.pending = undefined;
    if (message.type === 'vector') pending?.resolve(message.vector);
    else pending?.reject(new Error(message.reason));
  }

  private onEnd(reason: string): void {
    this.failure ??= new WorkerCrashed(reason);
    this.readyDeferred.reject(this.failure);
    this.pending?.reject(this.failure);
    this.pending = undefined;
  }
}
