import { Requester, type NatsConnection } from '@cairn/messaging';
import type { Metrics } from '@cairn/observability';
import {
  KeywordIndexInUse,
  OpenSearchLexicalIndex,
  postgresFolders,
  PostgresHybridSearch,
  PostgresLegs,
  PostgresLexicalIndex,
  type LexicalIndex,
  type VectorCandidates,
} from '@cairn/retrieval';
import type { Vault } from '@cairn/vault';
import { ClaimReader } from './claims/claim-reader.js';
import type { Connections } from './connections.js';
import { LinkReader } from './graph/link-reader.js';
import { AccountReader } from './accounts/account-reader.js';
import { GraphReader } from './graph/graph-reader.js';
import { KnownDocuments } from './accounts/known-documents.js';
import { MeshReader } from './accounts/mesh-reader.js';
import { ItemReader } from './items/item-reader.js';
import { MetadataReader } from './items/metadata-reader.js';
import { ModelInUse } from './items/model-in-use.js';
import { ConfirmationReader } from './listings/confirmation-reader.js';
import { ListingReader } from './listings/listing-reader.js';
import { ServerReader } from './listings/server-reader.js';
import { StatsReader } from './listings/stats-reader.js';
import { TokenResolver } from './listings/token-resolver.js';
import { OpReader } from './ops/op-reader.js';
import { ReceiptReader } from './ops/receipt-reader.js';
import { Freshness } from './retrieval/freshness.js';
import { QueryVectors } from './retrieval/query-vectors.js';
import { SearchTurns } from './retrieval/search-turns.js';
import { Searcher, type SearcherOptions } from './retrieval/searcher.js';
import { LedgerFence } from './status/ledger-fence.js';
import { embeddedTo, MissingVectors } from './status/missing-vectors.js';
import { ProjectionReader } from './status/projection-reader.js';
import { StatusReader } from './status/status-reader.js';
import { vectorStatus, type ResidentReport } from './status/vector-status.js';

const lexicalIndex = ({ searches, reads, openSearch }: Connections): LexicalIndex =>
  openSearch
    ? new OpenSearchLexicalIndex(openSearch, new KeywordIndexInUse(reads.pool), postgresFolders(reads.pool))
    : new PostgresLexicalIndex(searches.pool);

const searcherOn = (
  connections: Connections,
  vault: Vault,
  projections: ProjectionReader,
  {
    candidates,
    ...parts
  }: Pick<SearcherOptions, 'requester' | 'metrics' | 'turns' | 'modelInUse'> & {
    readonly candidates: VectorCandidates;
  },
): Searcher => {
  const { searches, openSearch } = connections;
  const libraryFreshness = new Freshness(() => projections.checkpoint('library'));
  return new Searcher({
    ...parts,
    context: {
      pool: searches.pool,
      vault,
      legs: new PostgresLegs(searches.pool),
      candidates,
      lexical: lexicalIndex(connections),
      hybrid: openSearch ? undefined : new PostgresHybridSearch(searches.pool),
    },
    vectors: new QueryVectors(),
    libraryFreshness,
    // In Postgres, both commit together.
    lexicalFreshness: openSearch ? new Freshness(() => projections.checkpoint('lexical')) : libraryFreshness,
  });
};

/** All query handlers, on top of the broker, Postgres and OpenSearch. */
export const openReaders = (
  nats: NatsConnection,
  connections: Connections,
  vault: Vault,
  metrics: Metrics,
  resident: VectorCandidates & ResidentReport,
) => {
  const { pool, orm } = connections.reads;
  const requester = new Requester(nats);
  const modelInUse = new ModelInUse(requester);
  const items = new ItemReader(pool, vault, modelInUse);
  const projections = new ProjectionReader(pool, nats);
  const searchPool = connections.searches.pool;
  const turns = new SearchTurns(searchPool.options.max);
  const graphFreshness = new Freshness(() => projections.checkpoint('graph'));
  const fence = new LedgerFence(nats, projections);
  const searcher = searcherOn(connections, vault, projections, {
    ...{ requester, metrics, turns, modelInUse },
    candidates: resident,
  });
  const missing = new MissingVectors({ pool, projections, modelInUse, embeddedTo: embeddedTo(nats) });
  const graph = new GraphReader({
    pool: connections.searches.pool,
    vault,
    turns,
    freshness: graphFreshness,
    metrics,
  });
  return {
    searcher,
    graph,
    claims: new ClaimReader({ pool, searcher, graph, freshness: [searcher.freshness, graphFreshness] }),
    items,
    metadata: new MetadataReader(pool, vault, new Freshness(() => projections.checkpoint('library')), graph),
    listings: new ListingReader(orm),
    confirmations: new ConfirmationReader(pool, vault),
    tokens: new TokenResolver(orm),
    ops: new OpReader(pool, vault),
    receipts: new ReceiptReader(pool, vault),
    projections,
    status: new StatusReader({
      ...{ pool, nats, requester, openSearch: connections.openSearch, fence },
      vectors: () => vectorStatus(missing, resident),
    }),
    stats: new StatsReader(pool, modelInUse),
    servers: new ServerReader(pool, vault),
    accounts: new AccountReader(pool, vault),
    documents: new KnownDocuments(pool, vault),
    mesh: new MeshReader(pool, vault, items),
    links: new LinkReader({ pool, searchPool, vault, turns, freshness: graphFreshness }),
    fence,
  };
};

export type Readers = ReturnType<typeof openReaders>;
