import { connectNats, Requester, type NatsConnection } from '@cairn/messaging';
import type { Metrics } from '@cairn/observability';
import { connectOpenSearch, type OpenSearchClient } from '@cairn/persistence';
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
import type { OnApplicationShutdown } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { openConnections, type Connections } from './connections.js';
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

const lexicalIndex = ({ searches, reads }: Connections, openSearch: OpenSearchClient | undefined): LexicalIndex =>
  openSearch
    ? new OpenSearchLexicalIndex(openSearch, CHUNKS_ALIAS, postgresFolders(reads.pool))
    : new PostgresLexicalIndex(searches.pool);

/** The read side: everything that answers a query, from the broker, Postgres and OpenSearch. */
export class SearchService implements OnApplicationShutdown {
  private constructor(
    readonly onApplicationShutdown: () => Promise<void>,
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
    const connections = await openConnections(config);
    const openSearch = config.openSearchUrl === undefined ? undefined : connectOpenSearch(config.openSearchUrl);
    const vault = new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));
    return SearchService.on({ nats, connections, openSearch, vault, metrics });
  }

  private static on(parts: {
    readonly nats: NatsConnection;
    readonly connections: Connections;
    readonly openSearch: OpenSearchClient | undefined;
    readonly vault: Vault;
    readonly metrics: Metrics;
  }): SearchService {
    const { nats, connections, openSearch, vault, metrics } = parts;
    const { pool, orm } = connections.reads;
    const searchPool = connections.searches.pool;
    const requester = new Requester(nats);
    const modelInUse = new ModelInUse(requester);
    const projections = new ProjectionReader(pool, nats);
    const fence = new LedgerFence(nats, projections);
    const libraryFreshness = new Freshness(() => projections.checkpoint('library'));
    const searcher = new Searcher({
      context: {
        pool: searchPool,
        vault,
        legs: new PostgresLegs(searchPool),
        lexical: lexicalIndex(connections, openSearch),
        hybridLegs: openSearch ? undefined : new PostgresHybridLegs(searchPool),
      },
      vectors: new QueryVectors(),
      turns: new SearchTurns(searchPool.options.max),
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
        await connections.searches.close();
        await connections.reads.close();
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
