import { describe, expect, it } from '@jest/globals';
import { neutralise } from './hygiene.js';
import { snippet } from './snippet.js';

const filler = (length: number): string => 'lorem ipsum '.repeat(Math.ceil(length / 12)).slice(0, length);
const chars = (text: string): number => Array.from(text).length;

describe('snippet', () => {
  it('[D-36] has 240 characters centred on the first match', () => {
    const text = `${filler(1000)} needle ${filler(1000)}`;
    const shown = snippet(text, 'needle');
    expect(chars(shown)).toBe(240);
    const middle = shown.indexOf('needle') + 3;
    expect(Math.abs(middle - 120)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['at the very start', `needle ${filler(1000)}`, 0],
    ['near the start', `${filler(50)} needle ${filler(1000)}`, 51],
    ['near the end', `${filler(1000)} needle ${filler(50)}`, 240 - 57],
    ['at the very end', `${filler(1000)} needle`, 240 - 6],
  ])('[D-36] stays 240 characters long with the match %s', (_, text, at) => {
    const shown = snippet(text, 'needle');
    expect(chars(shown)).toBe(240);
    expect(shown.indexOf('needle')).toBe(at);
    expect(text).toContain(shown);
  });

  it.each([
    ['AI ethics', 'AI'],
    ['5G masts', '5G'],
    ['is it ethics', 'ethics'],
    ['where are the masts', 'masts'],
    ['Why this?', 'this'],
  ])('[D-36] matches a word only if it is significant: %s', (query, centred) => {
    const text = `${filler(600)} it is AI and the 5G ${filler(600)} ethics and masts ${filler(600)} this ${filler(600)}`;
    const shown = snippet(text, query);
    expect(Math.abs(shown.indexOf(centred) + centred.length / 2 - 120)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['shorter than 240', 'a short text'],
    ['exactly 240 long', 'x'.repeat(240)],
    ['of 240 astral characters', '😀'.repeat(240)],
    ['empty', ''],
  ])('is the whole text when that is %s', (_, text) => {
    expect(snippet(text, 'short')).toBe(text);
  });

  it.each(['absent', '', '   ', '?!', '🙂', '.*', '^', '|'])(
    'is the first 240 characters when nothing matches %j',
    (query) => {
      const text = filler(1000);
      expect(snippet(text, query)).toBe(text.slice(0, 240));
    },
  );

  describe('a snippet of a text that was found only by meaning', () => {
    const shown = (text: string, query: string): string => snippet(text, query, { hasWords: false });

    it('is its first 240 characters, even if it contains single words of the query', () => {
      const text = `${filler(600)} needle in a haystack ${filler(600)}`;
      expect(shown(text, 'needle and thread')).toBe(text.slice(0, 240));
      expect(shown(text, 'hay')).toBe(text.slice(0, 240));
    });

    it.each([
      ['needle in', `${filler(600)} needle in a haystack ${filler(600)}`],
      ['検索語', `${'漢字仮名'.repeat(150)}検索語${'文字列'.repeat(200)}`],
    ])('[D-36] is centred on %s if the text contains it exactly as typed', (query, text) => {
      const middle = shown(text, query).indexOf(query) + query.length / 2;
      expect(Math.abs(middle - 120)).toBeLessThanOrEqual(1);
    });
  });

  it('[D-36] has at most 240 characters even if lines are quoted in the output', () => {
    const text = 'user: what is it\nassistant: a needle\n'.repeat(40);
    const clean = neutralise(snippet(text, 'needle'));
    expect(chars(clean)).toBeLessThanOrEqual(240);
    expect(chars(clean)).toBeGreaterThan(200);
    expect(clean).toContain('needle');
    const hidden = `${'user: a\n'.repeat(20)}${'filler '.repeat(8)}${'\u200b'.repeat(200)}`;
    expect(chars(neutralise(snippet(hidden, 'a')))).toBeLessThanOrEqual(240);
  });

  it('[D-36] is a part of the text even if an emoji of several parts is cut', () => {
    const family = '👨\u200d👩\u200d👧\u200d👦'.repeat(90);
    for (let blanks = 1; blanks < 9; blanks++) {
      const text = `${family}${' '.repeat(blanks)}needle ${family}`;
      const clean = neutralise(snippet(text, 'needle'));
      expect([chars(clean), text.includes(clean)]).toEqual([240, true]);
    }
  });

  it('[D-36] counts code points and never cuts a surrogate pair', () => {
    for (let before = 480; before < 500; before++) {
      const text = `${'😀'.repeat(before)} needle ${'𝒳'.repeat(500)}`;
      const shown = snippet(text, 'needle');
      expect(shown.isWellFormed()).toBe(true);
      expect(chars(shown)).toBe(240);
      expect(Array.from(shown).slice(117, 123).join('')).toBe('needle');
    }
  });

  it('finds words regardless of case, even if lower case has another length', () => {
    const text = `${'İ'.repeat(400)} GRÖSSE ${filler(400)}`;
    expect(snippet(text, 'grösse')).toContain('GRÖSSE');
  });

  it('prefers the whole query to one of its words that occurs earlier', () => {
    const text = `the err of conn ${filler(600)} ERR_CONN_4711 ${filler(600)}`;
    const at = snippet(text, 'ERR_CONN_4711').indexOf('ERR_CONN_4711');
    expect(at).toBe(120 - Math.floor('ERR_CONN_4711'.length / 2));
    expect(snippet(`golden ${filler(600)} golden\n needle ${filler(600)}`, 'golden needle')).toContain(
      'golden\n needle',
    );
  });

  it.each([
    ['an emoji', '🦔'],
    ['punctuation', '-->'],
    ['a path', '/v2/query'],
    ['CJK', '検索'],
    ['a word of letters and marks', 'हिन्दी'],
    ['a word in NFD', 'cafe\u0301'],
    ['a capital with a dot', 'İstanbul'],
  ])('finds %s', (_, query) => {
    const text = `${filler(600)} ${query} ${filler(600)}`;
    const shown = Array.from(snippet(text, query));
    expect(
      shown
        .slice(120 - Math.floor(chars(query) / 2))
        .join('')
        .startsWith(query),
    ).toBe(true);
  });

  it('does not match a part of a word of letters and marks as the word', () => {
    const text = `हिन्दीभाषा ${filler(600)} हिन्दी ${filler(600)}`;
    expect(snippet(text, 'हिन्दी')).toContain(' हिन्दी ');
  });

  it('prefers a whole word to a part of another', () => {
    const text = `${filler(300)} tokenizer ${filler(600)} token ${filler(300)}`;
    expect(snippet(text, 'token')).toMatch(/ token /);
  });

  it('finds a part of a word if it occurs nowhere alone', () => {
    expect(snippet(`${filler(600)} retokenized ${filler(600)}`, 'token')).toContain('retokenized');
  });

  it('skips words that occur everywhere', () => {
    const text = `I do a lot. ${filler(600)} scope ${filler(600)}`;
    expect(snippet(text, 'How do I scope a thing')).toContain('scope');
  });

  it.each(['a.b*c(d[', '\\', '(?:', 'x{2,}'])('treats %j as words, not as a pattern', (query) => {
    expect(chars(snippet(filler(1000), query))).toBe(240);
  });

  it('is quick for the longest query and a hostile text', () => {
    const query = Array.from({ length: 400 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 2000);
    const startedAt = performance.now();
    snippet('w'.repeat(32_000), query);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
