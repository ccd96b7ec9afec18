import type { ReaderSql } from '@cairn/access';
/** The settings of every ranking function: they end with the call, and its plans are kept between calls. */
const PINNED = `set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan`;

export const NESTED_LOOPS = `set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off`;

/** Joins in the order they are written in. Without statistics the planner takes a filter for selective and begins with it. */
export const AS_WRITTEN = 'set join_collapse_limit = 1';

const HITS = 'table (chunk_id uuid, item_id uuid, score float8)';
/** The reader, as the first parameters of most functions. */
export const READER = 'p_workspace uuid, p_folders uuid[], p_sensitive boolean';

/** The same in the text of a function. Search shows nothing outside the knowledge base. */
export const READER_SQL: ReaderSql = {
  workspace: 'p_workspace',
  folders: 'p_folders',
  seesSensitive: 'p_sensitive',
  kbOnly: true,
};

export const define = (
  name: string,
  parameters: string,
  settings: readonly string[],
  body: string,
  returns = HITS,
): string =>
  `create or replace function retrieval.${name}(
  ${parameters}
) returns ${returns} language plpgsql stable
${[PINNED, ...settings].join('\n')}
as $function$
#variable_conflict use_column
${body.trim()}
$function$;
`;
