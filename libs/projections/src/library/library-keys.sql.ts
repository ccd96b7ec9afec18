/**
 * Keys by which search finds chunks: numbers made of the workspace and a word, or three letters of a title. In an index
 * of words themselves, every workspace would read the entries of all others; here each has its own. Different words may
 * have the same key, so a search checks what it finds.
 */

/** Keys of a word that occurs at least so often, so that the chunks in which it occurs most are found first. */
const COUNTS = [32, 24, 16, 12, 8, 6, 4, 3, 2];
const COUNTS_SQL = `'{${COUNTS.join(',')}}'::int[]`;

/** A longer query is looked up by some of its letters, spread evenly over it: each key costs time. */
const QUERY_GRAMS = 10;

const keyOf = (text: string, seed: string): string => `hashtextextended(${text} collate "C", ${seed})`;

const seedOf = (count: number | string): string => `uuid_hash_extended(p_workspace, ${count})`;

/** The keys of every run of `length` letters in a text. */
const gramsOf = (text: string, length: number, step = '1'): string =>
  `array(select ${keyOf(`substr(${text}, i, ${length})`, 'v_seed')}
      from generate_series(1, char_length(${text}) - ${length - 1}, ${step}) as i)`;

const define = (name: string, parameters: string, returns: string, body: string): string =>
  `create or replace function ${name}(${parameters}) returns ${returns} language plpgsql immutable strict parallel safe
as $function$
${body}
$function$`;

const wordKey = (schema: string): string =>
  define(
    `${schema}.word_key`,
    'p_workspace uuid, p_word text, p_count int',
    'bigint',
    `begin
  return ${keyOf('p_word', seedOf('p_count'))};
end`,
  );

/** The counts that have keys, the highest first. */
const wordCounts = (schema: string): string =>
  define(
    `${schema}.word_counts`,
    '',
    'int[]',
    `begin
  return ${COUNTS_SQL};
end`,
  );

const wordKeys = (schema: string): string =>
  define(
    `${schema}.word_keys`,
    'p_workspace uuid, p_words tsvector',
    'bigint[]',
    `declare
  v_seed bigint := ${seedOf(1)};
begin
  -- Few words occur twice: those are selected before they are counted.
  return array(select ${keyOf('word', 'v_seed')} from unnest(tsvector_to_array(p_words)) as word)
    || array(
      select ${keyOf('w.lexeme', seedOf('counted'))}
        from (select lexeme, cardinality(positions) as count
                from unnest(p_words) where positions[2] is not null offset 0) w,
             unnest(${COUNTS_SQL}) as counted
        where counted <= w.count);
end`,
  );

/**
 * Of both spellings in which a title is compared: in lower case by the rules of ASCII for a query in ASCII, by those of
 * the database for any other. Scripts beyond ASCII have words of two letters, so they have keys of two letters as well.
 */
const titleKeys = (schema: string): string =>
  define(
    `${schema}.title_keys`,
    'p_workspace uuid, p_title text',
    'bigint[]',
    `declare
  v_seed bigint := ${seedOf(0)};
  v_ascii text := lower(p_title collate "C");
  v_folded text := lower(p_title);
  v_keys bigint[] := ${gramsOf('v_ascii', 3)};
begin
  if v_folded collate "C" <> v_ascii collate "C" then
    v_keys := v_keys || ${gramsOf('v_folded', 3)};
  end if;
  if octet_length(v_folded) > char_length(v_folded) then
    v_keys := v_keys || ${gramsOf('v_folded', 2)};
  end if;
  return v_keys;
end`,
  );

/** Keys that every title with this text has; null if the text is too short for one. */
const titleQueryKeys = (schema: string): string =>
  define(
    `${schema}.title_query_keys`,
    'p_workspace uuid, p_query text',
    'bigint[]',
    `declare
  v_seed bigint := ${seedOf(0)};
  v_text text := lower(p_query);
begin
  if octet_length(p_query) = char_length(p_query) then
    v_text := lower(p_query collate "C");
  end if;
  if char_length(v_text) >= 3 then
    return ${gramsOf('v_text', 3, `greatest(1, char_length(v_text) / ${QUERY_GRAMS})`)};
  elsif char_length(v_text) = 2 and octet_length(v_text) > 2 then
    return ${gramsOf('v_text', 2)};
  end if;
  return null;
end`,
  );

/** In the schema of the tables: an index depends on its function, and both are replaced together. */
export const keyFunctions = (schema: string): string[] => [
  wordKey(schema),
  wordCounts(schema),
  wordKeys(schema),
  titleKeys(schema),
  titleQueryKeys(schema),
];
