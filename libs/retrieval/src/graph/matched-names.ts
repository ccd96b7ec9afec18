import { SPELLINGS_COMPARED_MAX, type CandidateMatch } from '@cairn/contracts';
import { byRank, closerMatch, entityKey, misspelt, spellingsOf, type EntityClass } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { classesOf, graphRows, type GraphContext } from './graph-context.js';

/** Names that match by their words, before they are ranked. */
const NAMES_MATCHED_MAX = 200;
/** With fewer matches than this, names with almost the same spelling are searched. */
const ENOUGH = 3;
/** Names that one statement reads for comparison: PGlite serves no other client during a statement. */
const SPELLINGS_AT_ONCE = 20_000;

interface NameRow extends QueryResultRow {
  readonly key: string;
  readonly match: CandidateMatch;
}

export interface FoundClass {
  readonly entity: EntityClass;
  readonly match: CandidateMatch;
}

/** Names of the workspace with almost the same spelling, visible or not. */
const spelledAlike = async (context: GraphContext, key: string): Promise<string[]> => {
  const spellings = spellingsOf(key);
  if (!spellings) return [];
  const near: string[] = [];
  let after: string | null = null;
  for (let read = 0; read < SPELLINGS_COMPARED_MAX; read += SPELLINGS_AT_ONCE) {
    const rows: readonly { readonly key: string }[] = await graphRows<NameRow>(context, 'graph_spelled_like', [
      after,
      spellings.min,
      spellings.max,
      spellings.patterns,
      SPELLINGS_AT_ONCE,
    ]);
    near.push(
      ...misspelt(
        key,
        rows.map((row) => row.key),
      ),
    );
    if (rows.length < SPELLINGS_AT_ONCE) break;
    after = rows.at(-1)!.key;
  }
  return near;
};

const matchedNames = async (context: GraphContext, key: string): Promise<NameRow[]> => {
  const found = await graphRows<NameRow>(context, 'graph_names', [key, key.split(' '), NAMES_MATCHED_MAX]);
  if (found.length >= ENOUGH) return found;
  const known = new Set(found.map((row) => row.key));
  const near = (await spelledAlike(context, key)).filter((name) => !known.has(name));
  const seen = near.length === 0 ? [] : await graphRows<NameRow>(context, 'graph_known_keys', [near]);
  return [...found, ...seen.map((row): NameRow => ({ key: row.key, match: 'spelling' }))];
};

/** A name that exactly equals another name of the entity is an alias of it. */
const matchIn = (entity: EntityClass, { key, match }: NameRow): CandidateMatch =>
  match === 'exact' && entity.key !== key ? 'alias' : match;

/** The entities that a text may refer to, the closest match first; names of one entity count once. */
export const findClasses = async (context: GraphContext, text: string): Promise<FoundClass[]> => {
  const key = entityKey(text);
  if (key === undefined) return [];
  const rows = await matchedNames(context, key);
  const classes = await classesOf(
    context,
    rows.map((row) => row.key),
  );
  const found = new Map<string, FoundClass>();
  for (const row of rows) {
    const entity = classes.get(row.key)!;
    const match = matchIn(entity, row);
    const known = found.get(entity.key);
    found.set(entity.key, { entity, match: known ? closerMatch(known.match, match) : match });
  }
  return [...found.values()].toSorted((a, b) =>
    byRank({ ...a, ...NOTHING_ELSE, key: a.entity.key }, { ...b, ...NOTHING_ELSE, key: b.entity.key }),
  );
};

const NOTHING_ELSE = { hints: 0, mentions: 0 };
