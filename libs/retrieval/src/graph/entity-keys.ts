import type { GraphContext } from './graph-context.js';
import { entityOf } from './walk-graph.js';

/** The keys of an entity, by its name, an alias or its id; none of an unknown one. */
export const entityKeys = async (context: GraphContext, name: string): Promise<readonly string[]> =>
  (await entityOf(context, name, 0))?.entity.keys ?? [];
