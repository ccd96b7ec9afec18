// What a caller asks for, and one page of the answer.

export const QUERY_CHARS_MAX = 2_000;
/** Distinct words of a query that the keyword legs search for: the first ones; the vector leg reads the whole query. */
export const QUERY_TERMS_MAX = 128;
export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;
export const CURSOR_CHARS_MAX = 200;
export const SNIPPET_CHARS = 240;
