import { SEARCH_STATEMENT_MS_MAX } from '@cairn/contracts';
import { connectNats, Requester, type NatsConnection } from '@cairn/messaging';
import type { Metrics } from '@cairn/observability';
import { connectOpenSearch, Database, type OpenSearchClient } from '@cairn/persistence';
import { CHUNKS_ALIAS } from '@cairn/projections';
import {
  OpenSearchLexicalIndex,
  postgresFolders,
  PostgresHybridLegs,
  PostgresLegs,
  PostgresLexicalIndex,
  type LexicalIndex,
} from '@cairn/retrieval';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { SearchConfig } from './config.js';
import { ItemReader } from './items/item-reader.js';
import { ModelInUse } from './items/model-in-use.js';
import { ConfirmationReader } from './listings/confirmation-reader.js';
import { ListingReader } from './listings/listing-reader.js';
import { TokenResolver } from './listings/token-resolver.js';
import { OpReader } from './ops/op-reader.js';
import { ReceiptReader } from './ops/receipt-reader.js';
import { Freshness } from './retrieval/freshness.js';
import { QueryVectors } from './retrieval/query-vectors.js';
import { SearchTurns } from './retrieval/search-turns.js';
import { Searcher } from './retrieval/searcher.js';
import { StatsReader } from './listings/stats-reader.js';
import { LedgerFence } from './status/ledger-fence.js';
import { ProjectionReader } from './status/projection-reader.js';
import { StatusReader } from './status/status-reader.js';

const lexicalIndex = (pool: Pool, openSearch: OpenSearchClient | undefined): LexicalIndex =>
  openSearch
    ? new OpenSearchLexicalIndex(openSearch, CHUNKS_ALIAS, postgresFolders(pool))
    : new PostgresLexicalIndex(pool);

/** The read side: everything that answers a query, on one connection each to the broker, Postgres and OpenSearch. */
export class SearchService {
  private constructor(
    readonly close: () => Promise<void>,
    readonly searcher: Searcher,
    readonly items: ItemReader,
    readonly listings: ListingReader,
    readonly confirmations: ConfirmationReader,
    readonly tokens: TokenResolver,
    readonly ops: OpReader,
    readonly receipts: ReceiptReader,
    readonly projections: ProjectionReader,
    readonly status: StatusReader,
    readonly stats: StatsReader,
    readonly fence: LedgerFence,
  ) {}

  static async open(config: SearchConfig, metrics: Metrics): Promise<SearchService> {
    const nats = await connectNats(config.natsUrl, 'search');
    const database = await Database.connect({
      url: config.databaseUrl,
      applicationName: 'cairn-search',
      statementMsMax: SEARCH_STATEMENT_MS_MAX,
    });
    const openSearch = config.openSearchUrl === undefined ? undefined : connectOpenSearch(config.openSearchUrl);
    const vault = new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));
    return SearchService.on({ nats, database, openSearch, vault, metrics });
  }

  private static on(parts: {
    readonly nats: NatsConnection;
    readonly database: Database;
    readonly openSearch: OpenSearchClient | undefined;
    readonly vault: Vault;
    readonly metrics: Metrics;
  }): SearchService {
    const { nats, database, openSearch, vault, metrics } = parts;
    const { pool, orm } = database;
    const requester = new Requester(nats);
    const modelInUse = new ModelInUse(requester);
    const projections = new ProjectionReader(pool, nats);
    const fence = new LedgerFence(nats, projections);
    const libraryFreshness = new Freshness(() => projections.checkpoint('library'));
    const searcher = new Searcher({
      context: {
        pool,
        vault,
        legs: new PostgresLegs(pool),
        lexical: lexicalIndex(pool, openSearch),
        hybridLegs: openSearch ? undefined : new PostgresHybridLegs(pool),
      },
      vectors: new QueryVectors(),
      turns: new SearchTurns(),
      requester,
      metrics,
      libraryFreshness,
      // In Postgres both commit together.
      lexicalFreshness: openSearch ? new Freshness(() => projections.checkpoint('lexical')) : libraryFreshness,
    });
    return new SearchService(
      async () => {
        await nats.drain();
        await openSearch?.close();
        await database.close();
      },
      searcher,
      new ItemReader(pool, vault, modelInUse),
      new ListingReader(orm),
      new ConfirmationReader(pool, vault),
      new TokenResolver(orm),
      new OpReader(pool, vault),
      new ReceiptReader(pool, vault),
      projections,
      new StatusReader({ pool, nats, requester, openSearch, fence }),
      new StatsReader(pool, modelInUse),
      fence,
    );
  }
}
