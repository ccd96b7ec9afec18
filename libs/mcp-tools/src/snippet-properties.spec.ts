import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { snippet } from './snippet.js';

const SIZE = 240;
const chars = (text: string): string[] => Array.from(text);

/** Texts of all kinds: letters, CJK, emoji, combining marks, right-to-left, white space, controls. */
const anyText = fc.string({ unit: 'binary', maxLength: 1_200 });
/** Text in which the needle cannot occur. */
const hay = fc.string({
  unit: fc.constantFrom('lorem ', 'ß', '漢字', '😀', 'e\u0301', '\u202e', '\n', '"', 'é '),
  maxLength: 400,
});

describe('a snippet of any text', () => {
  it('[D-36] is a part of the text of exactly 240 characters, or the whole text when that is not longer', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, query) => {
        const shown = snippet(text, query);
        expect(text).toContain(shown);
        expect(chars(shown)).toHaveLength(Math.min(SIZE, chars(text).length));
        expect(shown.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });

  it('[D-36] has the first match in the middle, or as close to it as the ends of the text allow', () => {
    fc.assert(
      fc.property(hay, hay, fc.constantFrom('needle', 'NEEDLE', 'Needle'), (before, after, query) => {
        const text = `${before} needle ${after}`;
        const all = chars(text);
        const shown = chars(snippet(text, query));
        const middle = chars(before).length + 1 + 'needle'.length / 2;
        const ideal = middle - SIZE / 2;
        const start = Math.min(Math.max(ideal, 0), Math.max(all.length - SIZE, 0));
        expect(shown.join('')).toBe(all.slice(start, start + SIZE).join(''));
      }),
    );
  });

  it('is its first 240 characters when the query has no words', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('', ' ', '\n\t'), (text, query) => {
        expect(snippet(text, query)).toBe(chars(text).slice(0, SIZE).join(''));
      }),
    );
  });
});
