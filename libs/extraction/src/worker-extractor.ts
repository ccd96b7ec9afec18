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
/** A batch takes some 20 ms. One that exceeds this limit will never end. */
const BATCH_MS_MAX = 60_000;
/** After this many ended threads, the chunk itself is at fault. */
const ATTEMPTS_MAX = 3;
const HEAP_MIB = 512;
/** A batch of 32 texts leaves little behind; a larger nursery is memory that no other thread can use. */
const NURSERY_MIB = 8;

interface Pending {
  readonly resolve: (findings: readonly Findings[]) => void;
  readonly reject: (reason: Error) => void;
}

export interface WorkerExtractorOptions {
  /** Called with the seconds that each batch took. */
  readonly onBatch?: (seconds: number) => void;
  readonly threadFile?: string;
  readonly batchMsMax?: number;
}

/**
 * The rules in a separate thread, so that reading a long text delays nothing else. The thread starts with the first
 * batch, and again after it has ended; a batch in progress is repeated in halves, which gives the same findings and
 * shows which chunk is at fault.
 */
export class WorkerExtractor implements FindingsExtractor {
  readonly id = RULES_EXTRACTOR_ID;
  #worker: Worker | undefined;
  #pending: Pending | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  readonly #threadFile: string;
  readonly #batchMsMax: number;
  readonly #onBatch: (seconds: number) => void;

  constructor({
    threadFile = THREAD_FILE,
    batchMsMax = BATCH_MS_MAX,
    onBatch = () => undefined,
  }: WorkerExtractorOptions = {}) {
    this.#onBatch = onBatch;
    this.#threadFile = threadFile;
    this.#batchMsMax = batchMsMax;
  }

  async extract(chunks: readonly ChunkToRead[]): Promise<readonly Findings[]> {
    const findings: Findings[] = [];
    for (let at = 0; at < chunks.length; at += BATCH_CHUNKS_MAX) {
      const batch = chunks.slice(at, at + BATCH_CHUNKS_MAX).map(cut);
      findings.push(...(await this.#inTurn(() => this.#read(batch, at))));
    }
    return findings;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(worker, stopping());
    await worker?.terminate();
  }

  /** Ends the thread as a crash would; the batch in progress is repeated in another one. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** `index` is the place of the first chunk in the call. */
  async #read(batch: readonly ChunkToRead[], index: number, attempt = 1): Promise<readonly Findings[]> {
    if (this.#isClosed) throw stopping();
    try {
      return await this.#send(batch);
    } catch (error) {
      if (this.#isClosed) throw error;
      if (batch.length === 1 && attempt >= ATTEMPTS_MAX) throw unreadable(index, error);
      if (batch.length === 1) return this.#read(batch, index, attempt + 1);
    }
    const middle = Math.ceil(batch.length / 2);
    const before = await this.#read(batch.slice(0, middle), index);
    return [...before, ...(await this.#read(batch.slice(middle), index + middle))];
  }

  async #send(batch: readonly ChunkToRead[]): Promise<readonly Findings[]> {
    const worker = (this.#worker ??= this.#start());
    const startedMs = performance.now();
    const timer = setTimeout(() => {
      this.#end(worker, unavailable(`a batch took more than ${this.#batchMsMax} ms`));
      void worker.terminate();
    }, this.#batchMsMax);
    try {
      const findings = await new Promise<readonly Findings[]>((resolve, reject) => {
        this.#pending = { resolve, reject };
        worker.postMessage({ chunks: batch } satisfies ExtractorJob);
      });
      this.#onBatch((performance.now() - startedMs) / 1_000);
      return findings;
    } finally {
      clearTimeout(timer);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#threadFile, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: NURSERY_MIB },
    });
    worker.on('message', ({ findings }: ExtractorAnswer) => {
      this.#pending?.resolve(findings);
      this.#pending = undefined;
    });
    worker.on('error', (cause) => this.#end(worker, unavailable('the thread failed', cause)));
    worker.on('exit', (code) => this.#end(worker, unavailable(`the thread ended with code ${code}`)));
    // An idle thread does not keep the process alive. A busy one has a timer that does.
    worker.unref();
    return worker;
  }

  /** Drops this thread, unless another one has replaced it. */
  #end(worker: Worker | undefined, reason: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#pending?.reject(reason);
    this.#pending = undefined;
  }
}

/** Text beyond the reading limit need not be copied. */
const cut = (chunk: ChunkToRead): ChunkToRead => ({ ...chunk, text: chunk.text.slice(0, TEXT_CHARS_MAX) });

const unavailable = (why: string, cause?: unknown): Error =>
  fail('service.unavailable', `The extraction of names is unavailable: ${why}.`, {}, cause);
/** Trying again does not help: a rebuild shall end, and a person shall know. */
const unreadable = (index: number, cause: unknown): Error =>
  fail('internal.defect', `A text ended ${ATTEMPTS_MAX} threads of the extraction.`, { index }, cause);
const stopping = (): Error => fail('service.unavailable', 'Cairn is stopping');
