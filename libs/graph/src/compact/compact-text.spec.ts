import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens } from '../token-counter.js';
import { compactText, type Compaction } from './compact-text.js';
import { compactFormatOf } from './text-format.js';

const compacted = (text: string, format: Compaction['format'], maxTokens: number, query = ''): string =>
  compactText(text, { format, maxTokens, query }).text;

const CSV = [
  'city,year,sales',
  ...Array.from({ length: 100 }, (_, i) => `${i % 2 ? 'Oslo' : 'Rome'},${1900 + i},${i * 10}`),
].join('\n');

const MARKDOWN = [
  '# One',
  'Alpha text. '.repeat(20),
  '## Two',
  'Pricing is here.',
  '### Three',
  'Gamma text. '.repeat(20),
].join('\n\n');

const PDF = ['first page of nothing', 'pricing pricing', 'a page about pricing and more', 'last page']
  .map((page) => `${page} ${'filler '.repeat(30)}`)
  .join('\f');

describe('compaction of a table', () => {
  it('[C-77] keeps the header and the rows that pass every predicate of the query, in order, and no other row', () => {
    const rows = ['Oslo,1991,910', 'Oslo,1993,930', 'Oslo,1995,950', 'Oslo,1997,970', 'Oslo,1999,990'];
    for (const budget of [50, 500]) {
      const text = compacted(CSV, 'csv', budget, 'city=oslo year>1990');
      expect(text.split('\n')).toEqual(['city,year,sales', ...rows, '… 5 of 100 rows']);
    }
    expect(compacted(CSV, 'csv', 50, 'city=Bern')).toBe('city,year,sales\n… 0 of 100 rows');
  });

  it('[C-77] stays within the budget if more rows pass, those with the words of the query first', () => {
    const text = compacted(CSV, 'csv', 40, 'city=Oslo 1999');
    const lines = text.split('\n');
    expect(lines[0]).toBe('city,year,sales');
    expect(lines).toContain('Oslo,1999,990');
    expect(lines.slice(1, -1).filter((line) => !line.startsWith('Oslo,'))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^… \d+ of 100 rows$/);
    expect(countTokens(text)).toBeLessThanOrEqual(40);
  });

  it.each([
    ['sales<30', ['Rome,1900,0', 'Oslo,1901,10', 'Rome,1902,20']],
    ['what about "1942"?', ['Rome,1942,420']],
    ['year>=1999', ['Oslo,1999,990']],
  ])('puts the rows that match %j before others', (query, rows) => {
    for (const row of rows) expect(compacted(CSV, 'csv', 40, query).split('\n')).toContain(row);
  });

  it('reads quoted cells and other delimiters', () => {
    const rows = Array.from({ length: 50 }, (_, i) => `"a; ${i}";${i}`);
    const text = compacted(['name;rank', ...rows].join('\n'), 'csv', 30, 'rank=7');
    expect(text.split('\n')).toContain('"a; 7";7');
  });
});

describe('compaction of Markdown', () => {
  it('[C-78] keeps headings and the paragraphs that match the query, in order', () => {
    expect(compacted(MARKDOWN, 'markdown', 30, 'what about pricing?')).toBe(
      '# One\n\n[…]\n\n## Two\n\nPricing is here.\n\n### Three\n\n[…]',
    );
  });

  it('fills the budget with paragraphs from the start without a query', () => {
    const text = compacted(MARKDOWN, 'markdown', 90);
    expect(text).toContain('Alpha text.');
    expect(text).not.toContain('Gamma text.');
  });

  it('drops the deepest headings first', () => {
    const headings = ['# A', ...Array.from({ length: 40 }, (_, i) => `## Part ${i}`)].join('\n\n');
    expect(compacted(headings, 'markdown', 20)).toMatch(/^# A/);
    expect(compacted(headings, 'markdown', 20)).not.toContain('## Part');
  });
});

describe('compaction of a PDF', () => {
  it("[C-79] splits at form feeds, ranks pages by the frequency of the query's words and shows them in document order", () => {
    const text = compacted(PDF, 'pdf', 85, 'pricing');
    expect(text.match(/\[page \d+\]/g)).toEqual(['[page 2]', '[page 3]']);
  });

  it('starts with the first page without a query', () => {
    expect(compacted(PDF, 'pdf', 60)).toMatch(/^\[page 1\]\nfirst page/);
  });
});

describe('compaction of other texts', () => {
  it('keeps the first paragraph, then those that match', () => {
    const text = ['Opening.', 'Noise. '.repeat(30), 'The answer is pricing.', 'Noise. '.repeat(30)].join('\n\n');
    expect(compacted(text, 'plain', 20, 'pricing')).toBe('Opening.\n\n[…]\n\nThe answer is pricing.\n\n[…]');
  });
});

describe('compaction', () => {
  const formats = fc.constantFrom('csv', 'markdown', 'pdf', 'plain');
  const line = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('', '# Title', '## Deeper part', 'a,b,c', '1,2,3', 'words of a paragraph', '```', '\f'),
  );
  const texts = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));

  it('[C-76] never exceeds the budget, and does not change a text within it', () => {
    fc.assert(
      fc.property(
        texts,
        formats,
        fc.integer({ min: 1, max: 5_000 }),
        fc.string({ maxLength: 20 }),
        (text, format, maxTokens, query) => {
          const { text: shown, tokens, of } = compactText(text, { format, maxTokens, query });
          expect(tokens).toBe(countTokens(shown));
          expect(tokens).toBeLessThanOrEqual(maxTokens);
          expect(of).toBe(countTokens(text));
          if (of <= maxTokens) expect(shown).toBe(text);
          // A compacted text is within the budget, so compacting it again changes nothing.
          expect(compactText(shown, { format, maxTokens, query }).text).toBe(shown);
          expect(shown.isWellFormed()).toBe(text.isWellFormed() || shown.isWellFormed());
        },
      ),
      { numRuns: 400 },
    );
  });

  it('keeps the header of a table and every heading wherever they fit', () => {
    const rows = fc.array(fc.constantFrom('1,2', 'x,y', 'long cell of words,9'), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 24, max: 200 }), (lines, maxTokens) => {
        expect(compacted(['name,value', ...lines].join('\n'), 'csv', maxTokens).split('\n')[0]).toBe('name,value');
        const markdown = ['# Head', ...lines, '## Second', ...lines].join('\n\n');
        const shown = compacted(markdown, 'markdown', maxTokens);
        expect(shown).toContain('# Head');
        expect(shown).toContain('## Second');
      }),
    );
  });
});

describe('the format of a text', () => {
  it.each([
    ['is that of its file', 'x', { format: 'csv', sourceName: 'a.md' }, 'csv'],
    ['is that of its name', 'x', { sourceName: 'Notes.MD' }, 'markdown'],
    ['is a PDF by its page ends', 'a\fb', {}, 'pdf'],
    ['is a table by its delimiters', 'a,b\n1,2\n3,4', {}, 'csv'],
    ['is Markdown by its headings', 'x\n# A', {}, 'markdown'],
    ['is plain otherwise', 'a, b\nc\nd', { sourceName: 'x.zip' }, 'plain'],
  ])('%s', (_, text, known, format) => {
    expect(compactFormatOf(text, known)).toBe(format);
  });
});
