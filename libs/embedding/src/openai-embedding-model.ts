import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { z } from 'zod';
import type { EmbeddingModel, TextKind } from './embedding-model.port.js';
import { TextBatches, TEXTS_AT_ONCE } from './text-batches.js';
import { assertUsableVector, unitVector } from './vector.js';

export interface OpenAiEmbeddingOptions {
  /** The API's base address (`…/v1`), or the address of its embeddings endpoint. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const PROBE = 'ready?';
/** Statuses of an endpoint for a text that it cannot accept: bad request, too large, not processable. */
const REFUSALS = [400, 413, 422];
const Answer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()).min(1) })),
});

class RefusedStatus extends Error {}

const isRefusal = (thrown: unknown): boolean => (thrown as AppError).cause instanceof RefusedStatus;

/** Any endpoint with OpenAI's embeddings API, including Ollama. */
export class OpenAiEmbeddingModel implements EmbeddingModel {
  readonly id: string;
  readonly label: string;
  /** The problem of the last text: the endpoint's health is not queried. */
  problem: string | undefined;
  readonly passagesAtOnce = 2 * TEXTS_AT_ONCE;
  private readonly batches = new TextBatches((texts) => this.request(texts), isRefusal);
  private readonly closing = new AbortController();

  private constructor(
    private readonly options: OpenAiEmbeddingOptions,
    readonly dimensions: number,
  ) {
    this.id = options.model;
    this.label = options.model;
  }

  /** Embeds one text to learn the dimensions; rejects with `embedder.unavailable` while the endpoint is unavailable. */
  static async open(options: OpenAiEmbeddingOptions): Promise<OpenAiEmbeddingModel> {
    const [probe] = await request(options, [PROBE], AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS));
    return new OpenAiEmbeddingModel(options, probe!.length);
  }

  async embed(text: string, kind: TextKind): Promise<Float32Array> {
    if (this.closing.signal.aborted) throw fail('embedder.unavailable', 'The embedding model is closed.');
    const values = await this.valuesOf(text, kind).catch((thrown: unknown) => this.blame(thrown));
    const vector = this.usable(values);
    this.problem = undefined;
    return vector;
  }

  /** A caller waits for a query, so it never waits for passages here. */
  private async valuesOf(text: string, kind: TextKind): Promise<readonly number[]> {
    if (kind === 'passage') return this.batches.embed(text);
    const [values] = await this.request([text]);
    return values!;
  }

  private request(texts: readonly string[]): Promise<(readonly number[])[]> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS);
    return request(this.options, texts, AbortSignal.any([timeout, this.closing.signal]));
  }

  private usable(values: readonly number[]): Float32Array {
    const vector = unitVector(values);
    try {
      assertUsableVector(vector, this.dimensions);
    } catch (thrown) {
      this.problem = (thrown as AppError).message;
      throw thrown;
    }
    return vector;
  }

  /**
   * If the endpoint accepts another text at this moment, it has refused this one; otherwise the whole endpoint is
   * failing.
   */
  private async blame(thrown: unknown): Promise<never> {
    const { message, details, cause } = thrown as AppError;
    this.problem = message;
    if (!isRefusal(thrown)) throw thrown;
    await this.request([PROBE]);
    this.problem = undefined;
    throw fail('embedder.refused', message, details, cause);
  }

  close(): Promise<void> {
    this.closing.abort(new Error('the embedding model is closed'));
    return Promise.resolve();
  }
}

const request = async (
  options: OpenAiEmbeddingOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(readonly number[])[]> => {
  // A single text is sent as such: every endpoint takes that.
  const input = texts.length === 1 ? texts[0] : texts;
  try {
    const response = await fetch(endpointOf(options.url), {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({ model: options.model, input, encoding_format: 'float' }),
    });
    if (!response.ok) {
      const Reason = REFUSALS.includes(response.status) ? RefusedStatus : Error;
      throw new Reason(`it answered with status ${response.status}`);
    }
    return inOrder(Answer.parse(await response.json()).data, texts.length);
  } catch (cause) {
    throw unavailable(options.model, cause);
  }
};

const inOrder = (data: z.infer<typeof Answer>['data'], count: number): (readonly number[])[] => {
  const vectors = new Map(data.map(({ index, embedding }, place) => [index ?? place, embedding]));
  return Array.from({ length: count }, (_, place) => {
    const vector = vectors.get(place);
    if (!vector) throw new Error('its answer is not an embeddings answer');
    return vector;
  });
};

const endpointOf = (url: string): string => {
  const base = url.replace(/\/+$/, '');
  return base.endsWith('/embeddings') ? base : `${base}/embeddings`;
};

/** The message leaves the process, so it names the variable and the reason, not the address. */
const unavailable = (model: string, cause: unknown): Error => {
  const message = `The embeddings endpoint of EMBEDDING_URL gave no vector for model ${model}: ${reasonOf(cause)}.`;
  return fail('embedder.unavailable', message, { model }, cause);
};

const reasonOf = (cause: unknown): string => {
  const { name, message } = cause as Error;
  if (name === 'ZodError' || name === 'SyntaxError') return 'its answer is not an embeddings answer';
  if (name === 'TimeoutError') return 'it did not answer in time';
  return message === 'fetch failed' ? 'it cannot be reached' : message;
};
