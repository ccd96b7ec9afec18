import {
  systemPrincipal,
  type EmbedderView,
  type IngestView,
  type KeysView,
  type Readiness,
  type StatusView,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { NatsConnection, ParsedRequest, Requester } from '@cairn/messaging';
import type { OpenSearchClient } from '@cairn/persistence';
import { readRows } from '@cairn/persistence';
import { inspectKeywordIndex } from '@cairn/projections';
import type { Pool } from 'pg';
import type { LedgerFence } from './ledger-fence.js';

type Component = StatusView['components'][number];

const PROBE_TIMEOUT_MS = 1_000;

const KEYS_NOTES: Readonly<Record<KeysView['rotation'], string | undefined>> = {
  none: undefined,
  running: 'wrapping all keys again under the current KEK',
  done: 'every key is under the current KEK, the previous ones can go',
};

export interface StatusReaderOptions {
  readonly pool: Pool;
  readonly nats: NatsConnection;
  readonly requester: Requester;
  readonly openSearch?: OpenSearchClient | undefined;
  readonly fence: LedgerFence;
  /** Looks at the vectors. */
  readonly vectors: () => Promise<Partial<Component>>;
}

/** The parts that search depends on, and whether each is available. An unavailable part is reported, not thrown. */
export class StatusReader {
  constructor(private readonly options: StatusReaderOptions) {}

  async status({ principal, correlationId }: Pick<ParsedRequest<unknown>, 'principal' | 'correlationId'>) {
    let ingest: IngestView | undefined;
    const looked = await Promise.all([
      probe('postgres', () => this.postgres()),
      this.lexical(),
      probe('vectors', this.options.vectors),
      probe('embedder', () => this.embedder(principal.workspaceId, correlationId)),
      probe('ingest', async () => {
        ingest = await this.ingest(principal.workspaceId, correlationId);
        if (ingest.held !== undefined) return { ok: false, note: ingest.held };
        const note = KEYS_NOTES[ingest.keys.rotation] ?? workerNote(ingest);
        return note === undefined ? {} : { note };
      }),
    ]);
    const components = [this.broker(ingest), ...looked];
    const degraded = components.some(({ ok }) => !ok);
    return { components, degraded, ...(ingest && { keys: ingest.keys }) } satisfies StatusView;
  }

  async check(): Promise<Readiness> {
    if (this.options.nats.isClosed()) return { ready: false, notes: [] };
    const needed = probe('postgres', async () => (await this.options.fence.check(), this.postgres()));
    return { ready: (await needed).ok, notes: [] };
  }

  /** A broker that cannot write, or that lost a stream, still answers, so ingest reports the problems. */
  private broker(ingest: IngestView | undefined): Component {
    const { nats } = this.options;
    const version = nats.info?.version;
    const problems = [ingest?.brokerProblem ?? [], ingest?.streamProblems ?? []].flat();
    return {
      name: 'nats',
      ok: !nats.isClosed() && problems.length === 0,
      ...(version !== undefined && { version }),
      ...(problems.length > 0 && { note: problems.join(' ') }),
    };
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
    const { openSearch, pool } = this.options;
    if (!openSearch) return Promise.resolve({ name: 'lexical', ok: true, note: 'BM25 in Postgres' });
    return probe('lexical', async () => {
      const { body } = await openSearch.info({}, { requestTimeout: PROBE_TIMEOUT_MS, maxRetries: 0 });
      const { problem } = await inspectKeywordIndex(openSearch, pool);
      return { version: body.version.number, ok: problem === undefined, note: problem ?? 'OpenSearch' };
    });
  }

  private async embedder(workspaceId: string, correlationId: string): Promise<Partial<Component>> {
    const view: EmbedderView = await this.options.requester.query(
      'embedder.get',
      {},
      contextOf(workspaceId, correlationId),
    );
    const replaced = view.next === undefined ? '' : `; its vectors are being replaced by those of ${view.next}`;
    const note = view.note ?? (view.label === null ? null : `${view.label}${replaced}`);
    return { ok: view.note === undefined, ...(note ? { note } : {}) };
  }

  private ingest(workspaceId: string, correlationId: string): Promise<IngestView> {
    return this.options.requester.query('ingest.get', {}, contextOf(workspaceId, correlationId));
  }
}

const workerNote = ({ worker }: IngestView): string | undefined =>
  worker === undefined ? undefined : `the projectors and the background work run in ${worker}`;

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
    return { name, ok: false, note: 'unavailable' };
  }
};
