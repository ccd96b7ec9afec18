import { ITEM_MENTIONS_MAX, type EntityRef, type Placed } from '@cairn/contracts';
import type { QueryResultRow } from 'pg';
import { namedEntities, refOf } from './entity-views.js';
import { classesOf, distinctClasses, graphRows, type GraphContext } from './graph-context.js';

/** The entities that an item mentions, in text order. */
export const itemMentions = async (context: GraphContext, itemId: string): Promise<(EntityRef & Placed)[]> => {
  const rows = await graphRows<{ key: string } & QueryResultRow>(context, 'graph_item_keys', [
    itemId,
    ITEM_MENTIONS_MAX,
  ]);
  const entities = distinctClasses(
    await classesOf(
      context,
      rows.map(({ key }) => key),
    ),
  );
  const named = await namedEntities(context, entities);
  return entities.flatMap(({ key }) => {
    const found = named.get(key);
    return found ? [refOf(found)] : [];
  });
};
