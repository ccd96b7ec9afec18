import { SYSTEM_TOKEN_ID, systemPrincipal } from '@cairn/contracts';
import { AppError, uuidV7 } from '@cairn/kernel';
import type { NatsConnection, Requester } from '@cairn/messaging';
import type { Readiness } from '@cairn/observability';

const PROBE_TIMEOUT_MS = 1_000;
/** Whoever asks more often than this gets the last answer. */
const ANSWER_LIFE_MS = 500;

/** Ready: the broker is there and takes writes, and ingest and search answer. The embedder may be away; search then says `degraded`. */
export class ReadinessProbe {
  private isDraining = false;
  private last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly requester: Pick<Requester, 'query'>,
  ) {}

  /** From now on nobody should send us anything new. */
  drain(): void {
    this.isDraining = true;
  }

  check(): Promise<Readiness> {
    if (this.isDraining) return Promise.resolve({ ready: false, notes: ['shutting down'] });
    const now = Date.now();
    if (!this.last || now - this.last.at > ANSWER_LIFE_MS) this.last = { at: now, answer: this.probe() };
    return this.last.answer;
  }

  private async probe(): Promise<Readiness> {
    if (this.nats.isClosed()) return { ready: false, notes: ['broker away'] };
    const [ingest, search] = await Promise.all([this.ingestNote(), this.searchNote()]);
    const notes = [ingest, search].filter((note) => note !== undefined);
    return { ready: notes.length === 0, notes };
  }

  /** Undefined when writes will be served, else why not. */
  private ingestNote(): Promise<string | undefined> {
    return this.requester.query('ingest.get', {}, this.context()).then(
      ({ brokerProblem }) => (brokerProblem === undefined ? undefined : 'the broker takes no writes'),
      (thrown: unknown) => noteOn(thrown, 'ingest away'),
    );
  }

  private searchNote(): Promise<string | undefined> {
    return this.requester.query('projections.get', {}, this.context()).then(
      () => undefined,
      (thrown: unknown) => noteOn(thrown, 'search away'),
    );
  }

  private context() {
    const principal = systemPrincipal(SYSTEM_TOKEN_ID);
    return { principal, correlationId: uuidV7(), id: uuidV7(), timeoutMs: PROBE_TIMEOUT_MS };
  }
}

/** A refusal is a sign of life, too. */
const noteOn = (thrown: unknown, note: string): string | undefined =>
  thrown instanceof AppError && thrown.kind !== 'unavailable' ? undefined : note;
