import { readerOf, seesNothing } from '@cairn/access';
import type {
  EntityCandidates,
  EntityView,
  GraphWalk,
  Page,
  Placed,
  PlacedEdge,
  PlacedEntityDetail,
  PlacedReview,
  Principal,
  QueryAnswer,
  QueryData,
  Surface,
} from '@cairn/contracts';
import type { ParsedRequest } from '@cairn/messaging';
import type { Metrics } from '@cairn/observability';
import {
  edgeView,
  entityDetail,
  entityKeys,
  findEntities,
  itemMentions,
  listEntities,
  locateEdge,
  locateEntity,
  reviewList,
  walkGraph,
  type GraphContext,
} from '@cairn/retrieval';
import type { InstanceSecrets, Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { encodeCursor, readCursor } from '../cursor.js';
import type { Freshness } from '../retrieval/freshness.js';
import type { SearchTurns } from '../retrieval/search-turns.js';

export interface GraphReaderOptions {
  readonly pool: Pool;
  readonly vault: Pick<Vault, 'unwrap' | 'secrets'>;
  readonly turns: SearchTurns;
  readonly freshness: Freshness;
  readonly metrics: Metrics;
}

/** The key of a name: anything but control characters. */
const NAME_KEY = /^[^\p{Cc}]{1,80}$/u;
const REVIEW_KEY = /^\d{1,15}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type GraphQuery = 'walk' | 'find' | 'list' | 'entity' | 'edge' | 'review' | 'locate' | 'mentions';

const NOTHING_WALKED = { nodes: [], edges: [], truncated: false, dropped: { confidence: 0, sourceKind: 0 } };

/** The graph as its readers see it. */
export class GraphReader {
  private secrets: Promise<InstanceSecrets> | undefined;

  constructor(private readonly options: GraphReaderOptions) {}

  async walk({ principal, data, atLeast }: ParsedRequest<QueryData<'graph.walk'>>): Promise<GraphWalk> {
    const stale = !(await this.options.freshness.reached(atLeast));
    const context = await this.contextOf(principal, data.surface);
    if (seesNothing(context.reader)) return { entity: null, candidates: [], ...NOTHING_WALKED, stale };
    return { ...(await this.timed('walk', () => walkGraph(context, data))), stale };
  }

  async find({ principal, data, atLeast }: ParsedRequest<QueryData<'entities.find'>>): Promise<EntityCandidates> {
    const stale = !(await this.options.freshness.reached(atLeast));
    const context = await this.contextOf(principal, data.surface);
    if (seesNothing(context.reader)) return { candidates: [], stale };
    return { candidates: await this.timed('find', () => findEntities(context, data)), stale };
  }

  async list({
    principal,
    data,
    atLeast,
  }: ParsedRequest<QueryData<'entities.list'>>): Promise<Page<EntityView & Placed>> {
    const after = readCursor(data.cursor, NAME_KEY);
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, data.surface);
    if (seesNothing(context.reader)) return { items: [], nextCursor: null };
    const { items, next } = await this.timed('list', () => listEntities(context, data, after));
    return { items, nextCursor: next === undefined ? null : encodeCursor(next) };
  }

  async entity({ principal, data, atLeast }: ParsedRequest<QueryData<'entity.get'>>): Promise<PlacedEntityDetail> {
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, data.surface);
    return this.timed('entity', () => entityDetail(context, data.entityId));
  }

  async edge({ principal, data, atLeast }: ParsedRequest<QueryData<'edge.get'>>): Promise<PlacedEdge> {
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, data.surface);
    return this.timed('edge', () => edgeView(context, data.edgeId));
  }

  async locateEdge({
    principal,
    data,
    atLeast,
  }: ParsedRequest<QueryData<'edge.locate'>>): Promise<QueryAnswer<'edge.locate'>> {
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, 'rest');
    return this.timed('locate', () => locateEdge(context, data.edgeId, data.after));
  }

  async locateEntity({
    principal,
    data,
    atLeast,
  }: ParsedRequest<QueryData<'entity.locate'>>): Promise<QueryAnswer<'entity.locate'>> {
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, 'rest');
    return this.timed('locate', () => locateEntity(context, data.entityId));
  }

  async review({ principal, data, atLeast }: ParsedRequest<QueryData<'review.list'>>): Promise<Page<PlacedReview>> {
    const cursor = readCursor(data.cursor, REVIEW_KEY)?.split(':');
    const after = cursor && { position: Number(cursor[0]), id: cursor[1]! };
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, 'rest');
    const { items, next } = await this.timed('review', () => reviewList(context, data.kind, data.limit, after));
    return { items, nextCursor: next === undefined ? null : encodeCursor(`${next.position}:${next.id}`) };
  }

  /** The entities that an item mentions, for its page. */
  async mentions({
    principal,
    data,
    atLeast,
  }: ParsedRequest<QueryData<'item.mentions'>>): Promise<QueryAnswer<'item.mentions'>> {
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, data.surface);
    const found = await this.timed('mentions', () => itemMentions(context, data.itemId));
    return { mentions: found.map(({ id: entityId, ...shown }) => ({ entityId, ...shown })) };
  }

  /** The keys of an entity's names. The statement that uses them checks whether the reader may see a mention. */
  async entityKeys(principal: Principal, name: string, atLeast: number | undefined): Promise<readonly string[]> {
    await this.options.freshness.reached(atLeast);
    const context = await this.contextOf(principal, 'mcp');
    return this.timed('mentions', () => entityKeys(context, name));
  }

  /** The graph as one caller sees it. */
  async contextOf(principal: Principal, surface: Surface): Promise<GraphContext> {
    const { pool, vault, turns } = this.options;
    const secrets = await (this.secrets ??= this.openSecrets());
    const { workspaceId } = principal;
    return {
      pool,
      vault,
      reader: readerOf(principal, surface),
      entityId: (key) => secrets.entityId(workspaceId, key),
      inTurn: turns.of(principal),
    };
  }

  /** Loaded again after a failure: ingest may not have created them yet. */
  private openSecrets(): Promise<InstanceSecrets> {
    return this.options.vault.secrets().catch((thrown: unknown) => {
      this.secrets = undefined;
      throw thrown;
    });
  }

  private async timed<T>(query: GraphQuery, work: () => Promise<T>): Promise<T> {
    const end = this.options.metrics.graphWalkSeconds.startTimer({ query });
    try {
      return await work();
    } finally {
      end();
    }
  }
}
