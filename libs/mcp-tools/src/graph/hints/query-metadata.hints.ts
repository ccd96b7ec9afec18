import { quote, type ToolHints, type Trace } from '../../hint.js';
import { CAME_FROM } from '../metadata-filters.js';
import type { QueryMetadataAnswer, QueryMetadataArgs } from '../query-metadata.tool.js';
import { commonFailure, nextCall } from './common.hints.js';

const TOOL = 'carabase_query_metadata';

type Filters = QueryMetadataArgs['filters'];

const shownName = (name: string): string => CAME_FROM[name as keyof typeof CAME_FROM] ?? name;

const matchedOf = ({ matched }: Trace): Readonly<Record<string, number>> => {
  const counts = Object.entries((matched ?? {}) as Record<string, number>);
  return Object.fromEntries(counts.map(([name, count]) => [shownName(name), count]));
};

/** The filters without those that match nothing by themselves; if none is left, there is nothing to suggest. */
const withoutFilters = ({ limit, ...filters }: Filters, names: readonly string[]): object | undefined => {
  const dropped = new Set(names.flatMap((name) => (name === 'date' ? ['date_from', 'date_to'] : [name])));
  const kept = Object.entries(filters).filter(([name, value]) => value !== undefined && !dropped.has(name));
  return kept.length === 0 ? undefined : { ...Object.fromEntries(kept), limit };
};

const suggested = (filters: Filters, matched: Readonly<Record<string, number>>) => {
  const idle = Object.keys(matched).filter((name) => matched[name] === 0);
  // If each filter has hits of its own, the combination is too narrow: keep the filter with the most hits.
  const [widest] = Object.entries(matched).sort(([, a], [, b]) => b - a);
  const dropped = idle.length > 0 ? idle : Object.keys(matched).filter((name) => name !== widest?.[0]);
  const fewer = withoutFilters(filters, dropped);
  return fewer && Object.keys(matched).length > 1 ? [nextCall(TOOL, { filters: fewer })] : [];
};

const messageOf = (matched: Readonly<Record<string, number>>): string => {
  const counts = Object.entries(matched);
  if (counts.length === 0) return 'This token sees no artifacts.';
  const [[only] = ['']] = counts;
  if (counts.length === 1)
    return `No artifact matches the filter ${only}. ${only === 'date' ? 'Widen the dates.' : 'Try another value, or search by meaning.'}`;
  const alone = counts.map(([name, count]) => `${name} alone has ${count}`).join(', ');
  return `No artifact matches all filters together: ${alone}. Leave out the filter without hits, or widen the dates.`;
};

export const queryMetadataHints: ToolHints<QueryMetadataArgs, QueryMetadataAnswer> = {
  empty: ({ args, structured, trace }) => {
    if (structured.items.length > 0) return undefined;
    const { limit: _, ...filters } = args.filters;
    const matched = matchedOf(trace);
    return {
      hint: { kind: 'metadataNoResults', message: messageOf(matched), next: suggested(args.filters, matched) },
      trace: { filters, matched },
      traced: `queried metadata by ${Object.entries(filters)
        .map(([name, value]) => `${name}=${quote(value)}`)
        .join(' ')} → 0 items`,
    };
  },
  error: ({ args, error }) =>
    error.code === 'folder.not_found'
      ? {
          hint: {
            kind: 'metadataUnknownFolio',
            message:
              'There is no folio with this id for this token. Take folio_id from a hit of carabase_search_semantic, or leave it out.',
            next: [],
          },
          trace: { filters: args['filters'], failed: error.code },
          traced: `${TOOL} failed with ${error.code} at filters.folio_id`,
        }
      : commonFailure({ tool: TOOL, args, error, trace: { filters: args['filters'] } }),
};
