import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WorkerCrashed, type EmbeddingWorker } from './embedding-worker.js';
import type { OnnxModelSpec } from './onnx-model-spec.js';
import type { WorkerMessage } from './worker-protocol.js';

interface Deferred<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** A process cannot run TypeScript: under a test runner that loads sources, the built file is used instead. */
const WORKER_FILE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../dist/onnx-worker.js' : './onnx-worker.js', import.meta.url),
);

/**
 * The parent's side of an embedding process. It is a process and not a thread, because the native runtime corrupts
 * memory when threads that use it come and go, and aborts everything when one ends during a run (ADR 0014).
 */
export class OnnxWorkerProcess implements EmbeddingWorker {
  readonly ready: Promise<number>;
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readyDeferred!: Deferred<number>;
  private endedWith!: (reason: string) => void;
  private pending: Deferred<Float32Array> | undefined;
  private failure: WorkerCrashed | undefined;

  constructor(spec: OnnxModelSpec) {
    this.ready = new Promise((resolve, reject) => (this.readyDeferred = { resolve, reject }));
    // A replacement's failure to load is reported by `ended`; its `ready` is not awaited.
    this.ready.catch(() => undefined);
    this.ended = new Promise((resolve) => (this.endedWith = resolve));
    // Vectors cross the border in binary form, and the parent's flags (a test runner's, for example) are not meant for
    // the child.
    this.child = fork(WORKER_FILE, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.exited = new Promise((resolve) => this.child.once('exit', () => resolve()).once('error', () => resolve()));
    this.child.on('message', (message) => this.onMessage(message as WorkerMessage));
    this.child.on('error', (error) => this.onEnd(error.message));
    this.child.on('exit', (code, signal) => this.onEnd(`the process ended with ${signal ?? `code ${code}`}`));
    this.child.send(spec);
  }

  infer(text: string): Promise<Float32Array> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.child.send(text);
    });
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private onMessage(message: WorkerMessage): void {
    if (message.type === 'ready') return this.readyDeferred.resolve(message.dimensions);
    if (message.type === 'not-loaded') return this.onEnd(message.reason);
    const pending = this.pending;
    this.pending = undefined;
    if (message.type === 'vector') pending?.resolve(message.vector);
    else pending?.reject(new Error(message.reason));
  }

  private onEnd(reason: string): void {
    this.failure ??= new WorkerCrashed(reason);
    this.endedWith(reason);
    this.readyDeferred.reject(this.failure);
    this.pending?.reject(this.failure);
    this.pending = undefined;
  }
}
