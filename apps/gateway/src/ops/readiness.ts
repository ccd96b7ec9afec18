import { SYSTEM_TOKEN_ID, systemPrincipal, type Readiness } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { NatsConnection, Requester } from '@cairn/messaging';

const PROBE_TIMEOUT_MS = 1_000;
/** A caller that asks more often than this gets the previous answer. */
const ANSWER_LIFE_MS = 500;
/** Without the embedder, a search still answers by keywords and reports `degraded`. */
const NEEDED = ['ingest', 'search'] as const;

/** Ready when the broker is connected and both ingest and search report that they are ready. */
export class ReadinessProbe {
  private isDraining = false;
  private last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly requester: Pick<Requester, 'query'>,
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
    const notes = (await Promise.all(NEEDED.map((service) => this.problemsOf(service)))).flat();
    return { ready: notes.length === 0, notes };
  }

  private async problemsOf(service: (typeof NEEDED)[number]): Promise<readonly string[]> {
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
