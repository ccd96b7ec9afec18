/** Terms of one query: enough for 2,000 characters of prose, and a bound on what a hostile one may cost. */
export const LEXICAL_QUERY_TERMS_MAX = 256;
/** Longer runs are addresses and data rather than names, and would only swell the index. */
const COMPOUND_PARTS_MAX = 6;

/** Words of letters and digits, joined by what names are joined with: `ERR_CONN_4711`, `/v1/users`, `state-of-the-art`. */
const NAMES = /[\p{L}\p{M}\p{N}]+(?:[_./:-]+[\p{L}\p{M}\p{N}]+)*/gu;
const JOINTS = /[_./:-]+/u;

const termsOf = (name: string): string => {
  // Most names are plain words, and this is done for every word of a rebuild.
  if (!JOINTS.test(name)) return name;
  const parts = name.split(JOINTS);
  return (parts.length > COMPOUND_PARTS_MAX ? parts : [...parts, parts.join('')]).join(' ');
};

/**
 * What both lexical adapters index and are asked for. Left to themselves the two cut `-32605`, `/authorize` and
 * `snake_case_name` into different words; here they get the same plain words. A joined name is there twice, as its parts
 * and as one word: its parts find it, and the whole, being rare, puts the exact string first.
 */
export const lexicalText = (text: string): string => (text.toLowerCase().match(NAMES) ?? []).map(termsOf).join(' ');

export const lexicalQuery = (query: string): string =>
  [...new Set(lexicalText(query).split(' '))].slice(0, LEXICAL_QUERY_TERMS_MAX).join(' ');
