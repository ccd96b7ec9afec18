import { type EntityView, type Placed, type QueryData } from '@cairn/contracts';
import { entityKey } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { aliasesOf, seenEntities, viewOfEntity, type SeenEntity } from './entity-views.js';
import { classesOf, graphRows, type GraphContext } from './graph-context.js';

/** Names that are read at once, and the limit for one page. */
const BATCH = 200;
const BATCHES_MAX = 10;

export interface EntityPage {
  readonly items: readonly (EntityView & Placed)[];
  /** The key of the last name that was read, if there are more. */
  readonly next: string | undefined;
}

const wordsOf = (query: string | undefined): readonly string[] | null => {
  if (query === undefined) return null;
  return (entityKey(query) ?? query.toLowerCase().trim()).split(/\s+/u);
};

/** The entities whose own name is among these keys. */
const ownNames = async (context: GraphContext, keys: readonly string[]): Promise<SeenEntity[]> => {
  const classes = await classesOf(context, keys);
  const own = keys.map((key) => classes.get(key)!).filter((entity, i) => entity.key === keys[i]);
  const seen = await seenEntities(context, own);
  return own.flatMap(({ key }) => seen.get(key) ?? []);
};

/** The entities that the reader may see, by name. An alias is listed with its entity only. */
export const listEntities = async (
  context: GraphContext,
  { query, type, limit }: Pick<QueryData<'entities.list'>, 'query' | 'type' | 'limit'>,
  after: string | null,
): Promise<EntityPage> => {
  const found: SeenEntity[] = [];
  let last = after;
  let isMore = true;
  for (let batch = 0; isMore && found.length <= limit && batch < BATCHES_MAX; batch++) {
    const rows = await graphRows<{ key: string } & QueryResultRow>(context, 'graph_keys', [
      last,
      wordsOf(query),
      BATCH,
    ]);
    isMore = rows.length === BATCH;
    last = rows.at(-1)?.key ?? last;
    const own = await ownNames(
      context,
      rows.map(({ key }) => key),
    );
    found.push(...own.filter((entity) => type === undefined || entity.type === type));
  }
  const shown = found.slice(0, limit);
  const aliases = await aliasesOf(
    context,
    shown.map(({ entity }) => entity),
  );
  return {
    items: shown.map((entity) => viewOfEntity(entity, aliases.get(entity.entity.key) ?? [])),
    next: found.length > limit ? shown.at(-1)!.entity.key : isMore ? (last ?? undefined) : undefined,
  };
};
