import type { Reader } from '@cairn/access';
import type { ClaimAnswer, ClaimEvidence } from '@cairn/contracts';
import { verifyClaim, type AnalysedSentence, type JudgedText, type SameName } from '@cairn/graph';
import { readRows } from '@cairn/persistence';
import type { SearchContext } from '../search-context.js';
import { searchChunks } from '../search-chunks.js';
import { loadWinners, type Winner } from '../winners.js';

/** The graph's contribution: chunks in which the names of a claim occur, and which names a person has merged. */
export interface ClaimGraph {
  readonly chunksNaming: (keys: readonly string[], limit: number) => Promise<readonly string[]>;
  readonly sameNames: (keys: readonly string[]) => Promise<SameName>;
}

export interface HypothesisContext {
  readonly search: SearchContext;
  readonly graph: ClaimGraph;
  readonly analyse: (text: string) => readonly AnalysedSentence[];
}

export interface Hypothesis {
  readonly claim: string;
  readonly limit: number;
  readonly reader: Reader;
}

type ReadChunk = Winner & { readonly sentences: readonly AnalysedSentence[] };

/** A claim of several sentences is read as one, so that a subject in the first sentence counts for the others. */
const asOneSentence = (analyse: HypothesisContext['analyse'], claim: string): AnalysedSentence => {
  const sentences = analyse(claim);
  const [first] = sentences;
  if (first && sentences.length === 1) return first;
  const shift = (list: 'names' | 'numbers'): unknown[] => {
    let before = 0;
    return sentences.flatMap((sentence) => {
      const moved = sentence[list].map((entry) =>
        'from' in entry
          ? { ...entry, from: entry.from + before, to: entry.to + before }
          : { ...entry, token: entry.token + before },
      );
      before += sentence.tokens.length;
      return moved;
    });
  };
  return {
    text: claim,
    start: 0,
    tokens: sentences.flatMap(({ tokens }) => tokens),
    names: shift('names') as AnalysedSentence['names'],
    numbers: shift('numbers') as AnalysedSentence['numbers'],
    edges: sentences.flatMap(({ edges }) => edges),
    isHedged: false,
    isQuestion: false,
  };
};

/** The part of the chunks that a search for the claim need not have found. */
const NAMED_SHARE = 0.25;

/** A shared name says little, so most of the chunks are hits; the others are chunks in which the claim's names occur. */
export const chosen = <T>(hits: readonly T[], named: readonly T[], limit: number): readonly T[] => {
  const kept = limit - Math.min(named.length, Math.floor(limit * NAMED_SHARE));
  return [...hits.slice(0, kept), ...named].slice(0, limit);
};

/** The best chunks for the claim, then the newest in which its names occur, each once. */
const candidates = async (
  { search, graph }: HypothesisContext,
  { claim, limit, reader }: Hypothesis,
  keys: readonly string[],
): Promise<{ readonly chunks: readonly Winner[]; readonly degraded: boolean }> => {
  const found = await searchChunks(search, { query: claim, mode: 'hybrid', limit, explain: false, reader });
  const known = new Set(found.hits.map(({ chunkId }) => chunkId));
  const named = keys.length === 0 ? [] : await graph.chunksNaming(keys, limit);
  const others = named.filter((id) => !known.has(id));
  const opened = await loadWinners(search.pool, search.vault, reader, others);
  const more = others.flatMap((id) => opened.get(id) ?? []);
  return { chunks: chosen<Winner>(found.hits, more, limit), degraded: found.degraded };
};

const positionsOf = async (
  { pool }: SearchContext,
  { workspaceId }: Reader,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const sql = 'select id, position from library.items where workspace_id = $1 and id = any ($2::uuid[])';
  const rows = await readRows<{ id: string; position: string }>(pool, sql, [workspaceId, itemIds]);
  return new Map(rows.map(({ id, position }) => [id, Number(position)]));
};

const evidenceOf =
  (positions: ReadonlyMap<string, number>) =>
  ({ text: { sentences: _, ...chunk }, sentence, judgement }: JudgedText<ReadChunk>): ClaimEvidence => ({
    itemId: chunk.itemId,
    chunkId: chunk.chunkId,
    folderId: chunk.folderId,
    ...(chunk.placement && { placement: chunk.placement }),
    title: chunk.title,
    sentence: sentence.text,
    score: judgement.score,
    reasons: judgement.reasons,
    position: positions.get(chunk.itemId) ?? 0,
  });

export const verifyHypothesis = async (
  context: HypothesisContext,
  hypothesis: Hypothesis,
): Promise<Omit<ClaimAnswer, 'stale'>> => {
  const claim = asOneSentence(context.analyse, hypothesis.claim);
  const keys = [...new Set(claim.names.map(({ key }) => key))];
  const { chunks, degraded } = await candidates(context, hypothesis, keys);
  const read = chunks.map((chunk): ReadChunk => ({ ...chunk, sentences: context.analyse(chunk.text) }));
  const named = read.flatMap(({ sentences }) => sentences.flatMap(({ names }) => names.map(({ key }) => key)));
  const sameName = keys.length === 0 ? () => false : await context.graph.sameNames([...keys, ...new Set(named)]);
  const { verdict, corroborating, contradicting, considered } = verifyClaim(claim, read, sameName);
  const shown = [...corroborating, ...contradicting].map(({ text }) => text.itemId);
  const positions =
    shown.length === 0 ? new Map<string, number>() : await positionsOf(context.search, hypothesis.reader, shown);
  return {
    verdict,
    corroboratedBy: corroborating.map(evidenceOf(positions)),
    contradictedBy: contradicting.map(evidenceOf(positions)),
    considered,
    candidates: chunks.length,
    degraded,
  };
};
