import { fail } from '@cairn/contracts';
import type { EmbeddingModel, TextKind } from './embedding-model.port.js';
import { EmbeddingScheduler } from './embedding-scheduler.js';
import type { EmbeddingWorker } from './embedding-worker.js';
import type { OnnxModelSpec } from './onnx-model-spec.js';
import { OnnxWorkerProcess } from './onnx-worker-process.js';
import { assertUsableVector } from './vector.js';

export interface OnnxEmbeddingModelOptions {
  readonly workerCount?: number;
  readonly startWorker?: (spec: OnnxModelSpec) => EmbeddingWorker;
}

const WORKER_COUNT = 2;
/** One in each worker, and one queued behind it. */
const PASSAGES_PER_WORKER = 2;

/** A local ONNX model in single-threaded workers. */
export class OnnxEmbeddingModel implements EmbeddingModel {
  readonly id: string;
  readonly label: string;

  private constructor(
    private readonly spec: OnnxModelSpec,
    private readonly scheduler: EmbeddingScheduler,
    readonly dimensions: number,
    readonly passagesAtOnce: number,
  ) {
    this.id = spec.id;
    this.label = spec.label;
  }

  /** Ready to answer once it resolves: every worker has loaded the model and run it once. */
  static async open(spec: OnnxModelSpec, options: OnnxEmbeddingModelOptions = {}): Promise<OnnxEmbeddingModel> {
    const startWorker = options.startWorker ?? ((given) => new OnnxWorkerProcess(given));
    const workerCount = options.workerCount ?? WORKER_COUNT;
    const scheduler = new EmbeddingScheduler({ startWorker: () => startWorker(spec), workerCount });
    try {
      return new OnnxEmbeddingModel(spec, scheduler, await scheduler.ready(), PASSAGES_PER_WORKER * workerCount);
    } catch (cause) {
      await scheduler.close();
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The embedding model ${spec.id} cannot be loaded: ${reason}`;
      throw fail('embedder.model_missing', message, { model: spec.id }, cause);
    }
  }

  get problem(): string | undefined {
    return this.scheduler.problem;
  }

  async embed(text: string, kind: TextKind): Promise<Float32Array> {
    const input = kind === 'query' ? `${this.spec.queryPrefix}${text}` : text;
    const vector = await this.scheduler.submit(input, kind);
    assertUsableVector(vector, this.dimensions);
    return vector;
  }

  close(): Promise<void> {
    return this.scheduler.close();
  }
}
