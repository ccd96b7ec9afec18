import { describe, expect, it } from '@jest/globals';
import { analyseSentences } from './analyse-sentences.js';
import { extractFindings } from './extract-findings.js';
import { FINDINGS_MAX } from './findings-extractor.port.js';
import { TEXT_CHARS_MAX } from './prepared-text.js';

const SIZE = 100_000;
const fill = (part: string): string => part.repeat(Math.ceil(SIZE / part.length)).slice(0, SIZE);

/** Texts that make a careless pattern or a quadratic loop slow. Each must finish within the time limit of a test. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['no blank', fill('a')],
  ['capitals without a blank', fill('A')],
  ['hyphens', fill('a-')],
  ['hyphens with capitals', fill('A-B ')],
  ['ten thousand names', Array.from({ length: 10_000 }, (_, n) => `Name${n} Family${n}`).join(', ')],
  ['names joined by "and"', fill('Alice Chen and Ben Hartley and ')],
  ['names joined by "of"', fill('Bank of ')],
  ['particles', fill('Ludwig van de la ')],
  ['one sentence of verbs', fill('Alice works at Velora and joined ')],
  ['open wiki links', fill('[[a')],
  ['wiki links', fill('[[Alice Chen]] ')],
  ['pipes in wiki links', fill('[[a|')],
  ['open code fences', fill('```x\n')],
  ['back ticks', fill('`')],
  ['identifiers', fill('`a.b` ')],
  ['e-mail addresses without an end', fill('a.b@')],
  ['e-mail addresses', fill('a@b.cd ')],
  ['dots in an address', `a@${fill('b.')}`],
  ['handles', fill('@bob ')],
  ['tags', fill('#tag ')],
  ['hashes', fill('#')],
  ['addresses', fill('http://a.b/c')],
  ['parentheses', fill('(')],
  ['names in parentheses', fill('Alice (')],
  ['closed parentheses', fill('Alice uses ) ')],
  ['commas', fill('Alice, ')],
  ['quotation marks', fill('"Alice left Velora" ')],
  ['comments', fill('<!--')],
  ['headings', fill('# A\n')],
  ['keys', fill('Owner: Alice\n')],
  ['line breaks', fill('\n')],
  ['blanks', fill(' ')],
  ['tabs', fill('\t')],
  ['bullets', fill('- ')],
  ['digits', fill('1,')],
  ['dots', fill('.')],
  ['apostrophes', fill("A's ")],
  ['emoji', fill('👩‍👩‍👧 Alice 🎉 ')],
  ['half an emoji', fill('\ud83d')],
  ['right to left', fill('שלום עולם Alice ')],
  ['marks that turn the direction', fill('\u202eAlice\u202c ')],
  ['combining accents', fill('A\u0301\u0302\u0303')],
  ['Chinese', fill('愛麗絲在子午線實驗室工作。')],
  ['zero bytes', fill('\0A')],
  ['zero-width blanks', fill('Alice\u200b')],
  ['prototype names', fill('__proto__ constructor toString hasOwnProperty Constructor ToString ')],
];

describe('hostile texts', () => {
  it.each(HOSTILE)('%s are read in bounded time, within the limits', (_, text) => {
    const { mentions, edges } = extractFindings({ title: text, tags: [text, 'a'], text });
    expect(mentions.length).toBeLessThanOrEqual(FINDINGS_MAX);
    expect(edges.length).toBeLessThanOrEqual(FINDINGS_MAX);
    for (const { start, end } of mentions)
      if (start !== null) expect(0 <= start && start < end! && end! <= TEXT_CHARS_MAX).toBe(true);
    expect(analyseSentences(text.slice(0, 5_000)).length).toBeGreaterThanOrEqual(0);
  });

  it('a name after emoji, accents and signs has the offsets of the original text', () => {
    const text = '👩‍👩‍👧 🎉 — “Zoë Łukasik” → joined Ｖelora. Josée\u0301 met Nguyễn Minh Anh…';
    const { mentions } = extractFindings({ title: null, tags: [], text });
    for (const { name, start, end } of mentions) expect(text.slice(start!, end!)).toBe(name);
    expect(mentions.map(({ name }) => name)).toEqual(expect.arrayContaining(['Zoë Łukasik', 'Nguyễn Minh Anh']));
  });
});
