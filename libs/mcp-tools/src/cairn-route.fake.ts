import { readerOf } from '@cairn/access';
import type { QueryAnswer, QueryData } from '@cairn/contracts';
import { queryFacts } from '@cairn/extraction';
import { planRoute } from '@cairn/graph';
import type { QueryContext } from './cairn-answer.fake.js';
import { visibleKeys } from './cairn-graph.fake.js';

/** The product's rules over the folders and names that the caller may see. */
export const planRouteInMemory = (
  context: QueryContext,
  { query, now }: QueryData<'route.plan'>,
): QueryAnswer<'route.plan'> => {
  const reader = readerOf(context.principal, 'mcp');
  const folders = context.workspace.visibleFolders(reader).map(({ id, name }) => ({ id, name }));
  const world = { nowMs: Date.parse(now), folders, knownKeys: visibleKeys(context, reader) };
  return planRoute(queryFacts(query, world));
};
