import { fail, type QueryVector } from '@cairn/contracts';
import { AppError, systemClock, type Clock } from '@cairn/kernel';
import type { EmbeddedQuery } from '@cairn/retrieval';
import { LRUCache } from 'lru-cache';

const ENTRIES_MAX = 10_000;
/**
 * A query may quote text that is forgotten a moment later, so it must not stay in memory as long as the process runs.
 */
const LIFE_MS = 10 * 60_000;

const decode = ({ model, vector }: QueryVector): EmbeddedQuery => {
  // A copy, because a pooled buffer need not start at a multiple of four bytes.
  const bytes = new Uint8Array(Buffer.from(vector, 'base64'));
  return { model, vector: new Float32Array(bytes.buffer) };
};

/** Any failure of the embedder means the same to a search: there is no vector now. */
const asUnavailable = (thrown: unknown): unknown =>
  thrown instanceof AppError && (thrown.kind === 'unavailable' || thrown.code === 'embedder.refused')
    ? fail('embedder.unavailable', 'the embedder is unavailable; try again, or search by keyword', {}, thrown)
    : thrown;

/**
 * Caches query vectors by text and keeps the newest. It caches the promise itself, so concurrent callers with the same
 * text cause one request; a failed one is dropped. Vectors of two models cannot be compared, so the first answer of
 * another model empties the cache.
 */
export class QueryVectors {
  private readonly known: LRUCache<string, Promise<EmbeddedQuery>>;
  private model: string | undefined;

  constructor(entriesMax = ENTRIES_MAX, clock: Clock = systemClock) {
    this.known = new LRUCache({ max: entriesMax, ttl: LIFE_MS, ttlResolution: 0, perf: clock });
  }

  /** Drops the vectors of any other model: it is no longer the one that searches use. */
  use(model: string): void {
    if (this.model !== undefined && model !== this.model) this.known.clear();
    this.model = model;
  }

  get(text: string, ask: () => Promise<QueryVector>): Promise<EmbeddedQuery> {
    const known = this.known.get(text);
    if (known) return known;
    const asked = this.ask(text, ask);
    this.known.set(text, asked);
    return asked;
  }

  private async ask(text: string, ask: () => Promise<QueryVector>): Promise<EmbeddedQuery> {
    try {
      const answer = decode(await ask());
      this.use(answer.model);
      return answer;
    } catch (thrown) {
      this.known.delete(text);
      throw asUnavailable(thrown);
    }
  }
}
