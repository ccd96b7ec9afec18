import { systemPrincipal, type EmbedderView, type StatusView } from '@cairn/contracts';
import { AppError, uuidV7 } from '@cairn/kernel';
import type { NatsConnection, ParsedRequest, Requester } from '@cairn/messaging';
import type { OpenSearchClient } from '@cairn/persistence';
import { readRows } from '@cairn/retrieval';
import type { Pool } from 'pg';

type Component = StatusView['components'][number];

const PROBE_TIMEOUT_MS = 1_000;

export interface StatusReaderOptions {
  readonly pool: Pool;
  readonly nats: NatsConnection;
  readonly requester: Requester;
  readonly openSearch?: OpenSearchClient | undefined;
}

/** What search works with, and whether it is there. A part that is away is a line, not an error. */
export class StatusReader {
  constructor(private readonly options: StatusReaderOptions) {}

  async status({ principal, correlationId }: Pick<ParsedRequest<unknown>, 'principal' | 'correlationId'>) {
    const looked = await Promise.all([
      probe('postgres', () => this.postgres()),
      this.lexical(),
      probe('embedder', () => this.embedder(principal.workspaceId, correlationId)),
      probe('ingest', () => this.ingest(principal.workspaceId, correlationId)),
    ]);
    const components = [this.broker(), ...looked];
    return { components, degraded: components.some(({ ok }) => !ok) } satisfies StatusView;
  }

  async isReady(): Promise<boolean> {
    return !this.options.nats.isClosed() && (await probe('postgres', () => this.postgres())).ok;
  }

  private broker(): Component {
    const { nats } = this.options;
    const version = nats.info?.version;
    return { name: 'nats', ok: !nats.isClosed(), ...(version === undefined ? {} : { version }) };
  }

  private async postgres(): Promise<Partial<Component>> {
    const [row] = await readRows<{ version: string }>(
      this.options.pool,
      `select current_setting('server_version') as version`,
      [],
    );
    return row ?? {};
  }

  private lexical(): Promise<Component> {
    const { openSearch } = this.options;
    if (!openSearch) return Promise.resolve({ name: 'lexical', ok: true, note: 'BM25 in Postgres' });
    return probe('lexical', async () => {
      const { body } = await openSearch.info({}, { requestTimeout: PROBE_TIMEOUT_MS, maxRetries: 0 });
      return { version: body.version.number, note: 'OpenSearch' };
    });
  }

  private async embedder(workspaceId: string, correlationId: string): Promise<Partial<Component>> {
    const view: EmbedderView = await this.options.requester.query(
      'embedder.get',
      {},
      contextOf(workspaceId, correlationId),
    );
    const note = view.note ?? view.label;
    return { ok: view.model !== null, ...(note ? { note } : {}) };
  }

  /** A command without its data is refused before it is carried out; being refused is the sign of life. */
  private async ingest(workspaceId: string, correlationId: string): Promise<Partial<Component>> {
    const asked = this.options.requester.command('token.revoke', {} as never, contextOf(workspaceId, correlationId));
    await asked.catch((thrown: unknown) => {
      if (!(thrown instanceof AppError) || thrown.kind !== 'invalid') throw thrown;
    });
    return {};
  }
}

const contextOf = (workspaceId: string, correlationId: string) => ({
  principal: systemPrincipal(workspaceId),
  correlationId,
  id: uuidV7(),
  timeoutMs: PROBE_TIMEOUT_MS,
});

const probe = async (name: string, look: () => Promise<Partial<Component>>): Promise<Component> => {
  try {
    return { name, ok: true, ...(await look()) };
  } catch {
    return { name, ok: false, note: 'away' };
  }
};
