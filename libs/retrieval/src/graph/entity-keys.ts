import type { GraphContext } from './graph-context.js';
import { classOf } from './walk-graph.js';

/** The keys of an entity, by its name, an alias or its id; none if the id is unknown. */
export const entityKeys = async (context: GraphContext, name: string): Promise<readonly string[]> =>
  (await classOf(context, name))?.keys ?? [];
