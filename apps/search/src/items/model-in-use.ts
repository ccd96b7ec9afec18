import { SYSTEM_TOKEN_ID, systemPrincipal, type EmbedderView } from '@cairn/contracts';
import { systemClock, uuidV7, type Clock } from '@cairn/kernel';
import type { Requester } from '@cairn/messaging';

const ANSWER_LIFE_MS = 5_000;
const ASK_TIMEOUT_MS = 500;

type Model = Pick<EmbedderView, 'model' | 'label' | 'dims'>;
const UNKNOWN: Model = { model: null, label: null, dims: null };

/** The model that the embedder runs now, requested every few seconds at most; null while it is unknown. */
export class ModelInUse {
  private last: { readonly at: number; readonly answer: Promise<Model> } | undefined;

  constructor(
    private readonly requester: Pick<Requester, 'query'>,
    private readonly clock: Clock = systemClock,
  ) {}

  async id(): Promise<string | null> {
    return (await this.latest()).model;
  }

  /** The name under which people know the model, and the length of its vectors. */
  async shown(): Promise<Pick<EmbedderView, 'label' | 'dims'>> {
    return this.latest();
  }

  private latest(): Promise<Model> {
    const now = this.clock.now();
    if (!this.last || now - this.last.at >= ANSWER_LIFE_MS) this.last = { at: now, answer: this.ask() };
    return this.last.answer;
  }

  /** An unavailable embedder is not an error here, and it is not called for each item either. */
  private ask(): Promise<Model> {
    const principal = systemPrincipal(SYSTEM_TOKEN_ID);
    const context = { principal, correlationId: uuidV7(), id: uuidV7(), timeoutMs: ASK_TIMEOUT_MS };
    return this.requester.query('embedder.get', {}, context).catch(() => UNKNOWN);
  }
}
