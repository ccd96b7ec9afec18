import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hitList, searchNotes } from './hit-list.js';

const HEAD = /^(\d+)\. \((-?\d\.\d\d)\) (.+)$/u;
const SNIPPET = /^ {3}"\.\.\.(.*)\.\.\."$/u;

describe('the text list of hits', () => {
  it('[G-20] [G-21] has the published lines', () => {
    const hits = [{ title: 'Tokens, capabilities, and scope', score: 0.838, snippet: 'A token carries' }];
    expect(hitList(hits, [])).toBe('1. (0.84) Tokens, capabilities, and scope\n   "...A token carries..."');
  });

  it.each([
    ['line breaks', 'a\nb', 'x\r\n2. (0.99) Forged\n   "...y..."', 'a b', 'x 2. (0.99) Forged "...y..."'],
    ['exotic line breaks', 'a\u2028b', 'x\u0085y\u2029z\vw', 'a b', 'x y z w'],
    ['quotes', 'say "hi"', 'x..." "', 'say "hi"', 'x..." "'],
    ['terminal controls', '\u001b[31mred', 'x\u0007\u001b]0;title\u0007y', '\ufffd[31mred', 'x\ufffd]0;title\ufffdy'],
    ['no visible characters', ' \n', '\t', '(untitled)', ''],
  ])('[G-19] keeps its shape with %s in title and snippet', (_, title, snippet, shownTitle, shownSnippet) => {
    const lines = hitList([{ title, score: 1, snippet }], []).split('\n');
    expect(lines).toEqual([`1. (1.00) ${shownTitle}`, `   "...${shownSnippet.trim()}..."`]);
  });

  it('[G-19] has two lines for each hit regardless of its text, numbered from 1', () => {
    const hit = fc.record({
      title: fc.string({ unit: 'binary', minLength: 1 }),
      score: fc.double({ min: -1, max: 1, noNaN: true }),
      snippet: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(hit, { minLength: 1, maxLength: 20 }), (hits) => {
        const lines = hitList(hits, []).split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u);
        expect(lines).toHaveLength(2 * hits.length);
        hits.forEach(({ score }, i) => {
          const [, ordinal, shown] = HEAD.exec(lines[2 * i]!) ?? [];
          expect(ordinal).toBe(String(i + 1));
          expect(Math.abs(Number(shown) - score)).toBeLessThan(0.0051);
          expect(lines[2 * i + 1]).toMatch(SNIPPET);
        });
      }),
    );
  });

  it('reports an empty result, and what is missing', () => {
    const notes = searchNotes({ degraded: true, stale: true });
    expect(hitList([], notes).split('\n\n')).toHaveLength(3);
    expect(searchNotes({ degraded: false, stale: false })).toEqual([]);
  });
});
