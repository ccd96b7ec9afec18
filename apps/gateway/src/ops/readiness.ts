import { SYSTEM_TOKEN_ID, systemPrincipal, type Readiness } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { NatsConnection, Requester } from '@cairn/messaging';

const PROBE_TIMEOUT_MS = 1_000;
/** A caller that asks more often than this gets the previous answer. */
const ANSWER_LIFE_MS = 500;
/** Not among them: without the embedder, a search still answers by keywords and reports `degraded`. */
const SERVICES = ['ingest', 'search'] as const;

export type NeededService = (typeof SERVICES)[number];

/**
 * Ready when the broker is connected and the needed services report that they are ready. A gateway of its own needs only
 * search: while ingest is down, callers can still read, and without a ready gateway they could not (ADR 0141).
 */
export class ReadinessProbe {
  private isDraining = false;
  private last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly requester: Pick<Requester, 'query'>,
    private readonly needs: readonly NeededService[],
  ) {}

  /** From now on, the load balancer must not send new requests. */
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
    if (this.nats.isClosed()) return { ready: false, notes: ['the broker is unavailable'] };
    const problems = await Promise.all(SERVICES.map((service) => this.problemsOf(service)));
    const ready = SERVICES.every((service, i) => !this.needs.includes(service) || problems[i]!.length === 0);
    return { ready, notes: problems.flat() };
  }

  private async problemsOf(service: NeededService): Promise<readonly string[]> {
    try {
      const { ready, notes } = await this.requester.query(`${service}.check`, {}, this.context());
      if (ready) return [];
      return notes.length > 0 ? notes : [`${service} is not ready`];
    } catch {
      return [`${service} is unavailable`];
    }
  }

  private context() {
    const principal = systemPrincipal(SYSTEM_TOKEN_ID);
    return { principal, correlationId: uuidV7(), id: uuidV7(), timeoutMs: PROBE_TIMEOUT_MS };
  }
}
