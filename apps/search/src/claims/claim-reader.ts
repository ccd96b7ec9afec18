import { folderIsVisible, folderReaderValues, readerOf, readerSql, seesNothing } from '@cairn/access';
import type { ClaimAnswer, QueryData, RoutePlan } from '@cairn/contracts';
import { analyseSentences, queryFacts, type NamedFolio } from '@cairn/extraction';
import { planRoute } from '@cairn/graph';
import type { ParsedRequest } from '@cairn/messaging';
import { readRows } from '@cairn/persistence';
import { claimGraphOf, knownNames, verifyHypothesis } from '@cairn/retrieval';
import type { Pool } from 'pg';
import type { GraphReader } from '../graph/graph-reader.js';
import type { Freshness } from '../retrieval/freshness.js';
import type { Searcher } from '../retrieval/searcher.js';

export interface ClaimReaderOptions {
  readonly pool: Pool;
  readonly searcher: Searcher;
  readonly graph: GraphReader;
  /** Freshness of the keyword index and of the graph: text that was just stored counts for and against a claim. */
  readonly freshness: readonly Freshness[];
}

const NOTHING: ClaimAnswer = {
  verdict: 'inconclusive',
  corroboratedBy: [],
  contradictedBy: [],
  considered: 0,
  candidates: 0,
  degraded: false,
  stale: false,
};

/** Answers that need search and the graph together: verdicts on claims, and the choice of a strategy. */
export class ClaimReader {
  constructor(private readonly options: ClaimReaderOptions) {}

  async verify(request: ParsedRequest<QueryData<'claims.verify'>>): Promise<ClaimAnswer> {
    const { principal, data, atLeast } = request;
    const { searcher, graph, freshness } = this.options;
    const reader = readerOf(principal, 'mcp');
    if (seesNothing(reader)) return NOTHING;
    const fresh = await Promise.all(freshness.map((one) => one.reached(atLeast)));
    const context = {
      search: searcher.contextOf(request),
      graph: claimGraphOf(await graph.contextOf(principal, 'mcp')),
      analyse: analyseSentences,
    };
    const answer = await verifyHypothesis(context, { ...data, reader });
    return { ...answer, stale: fresh.includes(false) };
  }

  /** Waits for the caller's own writes as the graph does: a name that was just stored is a known name. */
  async plan({ principal, data, atLeast }: ParsedRequest<QueryData<'route.plan'>>): Promise<RoutePlan> {
    const { pool, graph, freshness } = this.options;
    const reader = readerOf(principal, 'mcp');
    const sees = !seesNothing(reader);
    await Promise.all(freshness.map((one) => one.reached(atLeast)));
    const folders = sees
      ? await readRows<NamedFolio>(
          pool,
          `select f.id, f.name from library.folders f where ${folderIsVisible('f', readerSql(1))} order by f.id`,
          [...folderReaderValues(reader)],
        )
      : [];
    const known = sees ? await knownNames(await graph.contextOf(principal, 'mcp'), data.query) : new Set<string>();
    return planRoute(queryFacts(data.query, { nowMs: Date.parse(data.now), folders, knownKeys: known }));
  }
}
