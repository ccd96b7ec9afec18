import { NAMES_COMPARED_MAX, REVIEW_ENTRIES_MAX, type QueryAnswer } from '@cairn/contracts';
import { entityClasses, mergeSuggestions, SAME_AS, type MergeSuggestion } from '@cairn/graph';
import { uuidV8 } from '@cairn/kernel';
import { edgeRef } from '@cairn/vault';
import type { QueryResultRow } from 'pg';
import { chunkKeys } from './chunk-keys.js';
import { namedEntities, type NamedEntity } from './entity-views.js';
import { classesOf, graphRows, type GraphContext } from './graph-context.js';

/** Names a suggestion as an edge of one chunk of the shorter name. */
interface InChunk {
  readonly id: string;
  readonly evidence: QueryAnswer<'edge.locate'>['evidence'][number];
}

/** A merge that may be meant, in the newest chunk of the shorter name. */
export interface SuggestedMerge extends InChunk {
  readonly alias: NamedEntity;
  readonly canonical: NamedEntity;
  readonly reason: MergeSuggestion['reason'];
}

/** One for each chunk that a verdict on it was recorded in. */
interface JudgedMerge extends InChunk {
  readonly pair: MergeSuggestion;
}

const refIn = (chunkKey: Uint8Array, { aliasKey, canonicalKey }: MergeSuggestion): string =>
  edgeRef(chunkKey, { subjectKey: aliasKey, predicate: SAME_AS, objectKey: canonicalKey });

interface ReviewedRow extends QueryResultRow {
  readonly key: string;
  readonly chunk_id: string;
  readonly item_id: string;
}

/** A verdict holds while its chunk names the alias, whichever chunk is the newest by now. */
const judgedMerges = async (context: GraphContext, pairs: readonly MergeSuggestion[]): Promise<JudgedMerge[]> => {
  const aliases = [...new Set(pairs.map(({ aliasKey }) => aliasKey))];
  const reviewed = await graphRows<ReviewedRow>(context, 'graph_reviewed_chunks', [aliases]);
  const chunkIds = [...new Set(reviewed.map((row) => row.chunk_id))];
  const keys = await chunkKeys(context, chunkIds);
  const verdicts = await graphRows<{ ref_hash: Buffer } & QueryResultRow>(context, 'graph_verdicts', [chunkIds]);
  const refs = new Set(verdicts.map((row) => row.ref_hash.toString('hex')));
  const byAlias = new Map(aliases.map((alias) => [alias, [] as ReviewedRow[]]));
  for (const row of reviewed) byAlias.get(row.key)!.push(row);
  return pairs.flatMap((pair) =>
    byAlias.get(pair.aliasKey)!.flatMap(({ chunk_id: chunkId, item_id: itemId }): JudgedMerge[] => {
      const key = keys.get(chunkId);
      const ref = key && refIn(key, pair);
      return ref && refs.has(ref) ? [{ pair, id: uuidV8(ref), evidence: { itemId, chunkId, edgeRef: ref } }] : [];
    }),
  );
};

const shown = async (context: GraphContext, pairs: readonly MergeSuggestion[]): Promise<SuggestedMerge[]> => {
  const names = pairs.flatMap(({ aliasKey, canonicalKey }) => [aliasKey, canonicalKey]);
  const named = await namedEntities(context, [...entityClasses([...new Set(names)], []).values()]);
  const keys = await chunkKeys(
    context,
    pairs.flatMap(({ aliasKey }) => named.get(aliasKey)?.example.chunkId ?? []),
  );
  return pairs.flatMap((pair): SuggestedMerge[] => {
    const [alias, canonical] = [named.get(pair.aliasKey), named.get(pair.canonicalKey)];
    const key = alias && keys.get(alias.example.chunkId);
    if (!key || !canonical) return [];
    const { itemId, chunkId } = alias.example;
    const ref = refIn(key, pair);
    return [{ alias, canonical, reason: pair.reason, id: uuidV8(ref), evidence: { itemId, chunkId, edgeRef: ref } }];
  });
};

/** Merges that may be meant: those that no one has judged, and those that were judged. */
export const suggestedMerges = async (
  context: GraphContext,
): Promise<{ readonly waiting: readonly SuggestedMerge[]; readonly judged: readonly JudgedMerge[] }> => {
  const values = [null, null, NAMES_COMPARED_MAX];
  const names = await graphRows<{ key: string } & QueryResultRow>(context, 'graph_keys', values);
  const pairs = mergeSuggestions(names.map(({ key }) => key));
  const judged = await judgedMerges(context, pairs);
  const done = new Set(judged.map(({ pair }) => pair));
  const left = pairs.filter((pair) => !done.has(pair));
  const classes = await classesOf(context, [
    ...new Set(left.flatMap(({ aliasKey, canonicalKey }) => [aliasKey, canonicalKey])),
  ]);
  const open = left.filter(({ aliasKey, canonicalKey }) => classes.get(aliasKey) !== classes.get(canonicalKey));
  return { judged, waiting: await shown(context, open.slice(0, REVIEW_ENTRIES_MAX)) };
};
