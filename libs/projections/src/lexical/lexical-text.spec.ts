import { describe, expect, it } from '@jest/globals';
import { LEXICAL_QUERY_TERMS_MAX, lexicalQuery, lexicalText } from './lexical-text.js';

describe('lexical text', () => {
  it.each([
    ['Call getUserById(42).', 'call getuserbyid 42'],
    ['error -32605', 'error 32605'],
    ['ERR_CONN_4711!', 'err conn 4711 errconn4711'],
    ['at /authorize, or /v1/users', 'at authorize or v1 users v1users'],
    ['Grüße, Ångström', 'grüße ångström'],
    ['"quoted" & (odd) | 😀', 'quoted odd'],
    ['a.b.c.d.e.f.g', 'a b c d e f g'],
    ['', ''],
  ])('turns %j into plain words', (text, words) => {
    expect(lexicalText(text)).toBe(words);
  });

  it('asks for each word of a query once, and for a bounded number of them', () => {
    expect(lexicalQuery('lorem ipsum Lorem')).toBe('lorem ipsum');
    const many = Array.from({ length: 1_000 }, (_, i) => `w${i}`).join(' ');
    expect(lexicalQuery(many).split(' ')).toHaveLength(LEXICAL_QUERY_TERMS_MAX);
  });
});
