import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fail } from '@cairn/contracts';
import { type ExtractorAnswer, type ExtractorJob } from './extractor-protocol.js';
import { type ChunkToRead, type Findings, type FindingsExtractor } from './findings-extractor.port.js';
import { TEXT_CHARS_MAX } from './prepared-text.js';
import { RULES_EXTRACTOR_ID } from './rules-extractor.js';

/** A thread cannot run TypeScript, so tests that load sources use the built file. */
const THREAD_FILE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../dist/extractor-thread.js' : './extractor-thread.js', import.meta.url),
);

/** Copying a message blocks the caller, so batches are small. */
const BATCH_CHUNKS_MAX = 32;
/** A batch takes some 20 ms. Whatever exceeds this by so much will not end. */
const BATCH_MS_MAX = 60_000;
/** A batch that ends its thread this often is at fault itself. */
const ATTEMPTS_MAX = 3;
const HEAP_MIB = 512;

interface Pending {
  readonly resolve: (findings: readonly Findings[]) => void;
  readonly reject: (reason: Error) => void;
}

export interface WorkerExtractorOptions {
  readonly threadFile?: string;
  readonly batchMsMax?: number;
}

/**
 * The rules in a thread of their own, so that reading a long text delays nothing else. The thread starts with the first batch, and again when
 * it has ended; a batch that was in work is repeated, which gives the same findings.
 */
export class WorkerExtractor implements FindingsExtractor {
  readonly id = RULES_EXTRACTOR_ID;
  #worker: Worker | undefined;
  #pending: Pending | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  readonly #threadFile: string;
  readonly #batchMsMax: number;

  constructor({ threadFile = THREAD_FILE, batchMsMax = BATCH_MS_MAX }: WorkerExtractorOptions = {}) {
    this.#threadFile = threadFile;
    this.#batchMsMax = batchMsMax;
  }

  async extract(chunks: readonly ChunkToRead[]): Promise<readonly Findings[]> {
    const findings: Findings[] = [];
    for (let at = 0; at < chunks.length; at += BATCH_CHUNKS_MAX) {
      const batch = chunks.slice(at, at + BATCH_CHUNKS_MAX).map(cut);
      findings.push(...(await this.#inTurn(() => this.#attempt(batch))));
    }
    return findings;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(worker, stopping());
    await worker?.terminate();
  }

  /** Ends the thread as a crash would; what is in work is repeated in another one. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #attempt(batch: readonly ChunkToRead[], attempt = 1): Promise<readonly Findings[]> {
    if (this.#isClosed) throw stopping();
    try {
      return await this.#send(batch);
    } catch (error) {
      if (this.#isClosed || attempt >= ATTEMPTS_MAX) throw error;
      return this.#attempt(batch, attempt + 1);
    }
  }

  async #send(batch: readonly ChunkToRead[]): Promise<readonly Findings[]> {
    const worker = (this.#worker ??= this.#start());
    const timer = setTimeout(() => {
      this.#end(worker, unavailable(`a batch took more than ${this.#batchMsMax} ms`));
      void worker.terminate();
    }, this.#batchMsMax);
    try {
      return await new Promise((resolve, reject) => {
        this.#pending = { resolve, reject };
        worker.postMessage({ chunks: batch } satisfies ExtractorJob);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#threadFile, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    worker.on('message', ({ findings }: ExtractorAnswer) => {
      this.#pending?.resolve(findings);
      this.#pending = undefined;
    });
    worker.on('error', (cause) => this.#end(worker, unavailable('the thread failed', cause)));
    worker.on('exit', (code) => this.#end(worker, unavailable(`the thread ended with code ${code}`)));
    // An idle thread does not keep the process alive. One that works has a timer that does.
    worker.unref();
    return worker;
  }

  /** Forgets this thread, unless another one has taken its place. */
  #end(worker: Worker | undefined, reason: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#pending?.reject(reason);
    this.#pending = undefined;
  }
}

/** What would not be read need not be copied. */
const cut = (chunk: ChunkToRead): ChunkToRead => ({ ...chunk, text: chunk.text.slice(0, TEXT_CHARS_MAX) });

const unavailable = (why: string, cause?: unknown): Error =>
  fail('service.unavailable', `The extraction of names is unavailable: ${why}.`, {}, cause);
const stopping = (): Error => fail('service.unavailable', 'Cairn is stopping');
