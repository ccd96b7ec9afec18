import { describe, expect, it } from '@jest/globals';
import { CHUNK_TOKENS_MAX, CHUNK_TOKENS_TARGET, CHUNKS_PER_OP_MAX, ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import fc from 'fast-check';
import { chunkText } from './chunker.js';
import { countTokens } from './token-counter.js';

const PROSE = 'The gateway checks the caller, then stamps one envelope. Nothing is kept that was not acknowledged. ';
const BROKER_PAYLOAD_BYTES_MAX = 1_048_576;

const expectSegmentsOf = (text: string): void => {
  const chunks = chunkText(text);
  expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
  for (const chunk of chunks) {
    expect(chunk.text).not.toBe('');
    expect(chunk.tokens).toBeLessThanOrEqual(CHUNK_TOKENS_MAX);
    expect(countTokens(chunk.text)).toBeLessThanOrEqual(CHUNK_TOKENS_MAX);
    expect(chunk.text.isWellFormed()).toBe(true);
  }
};

describe('cutting a text into chunks', () => {
  it('leaves a short text whole', () => {
    expect(chunkText('Hello, world.')).toEqual([{ text: 'Hello, world.', tokens: 4 }]);
  });

  it('cuts prose at the ends of sentences, near the target', () => {
    const chunks = chunkText(PROSE.repeat(100));
    for (const { text, tokens } of chunks.slice(0, -1)) {
      expect(text).toMatch(/\. $/);
      expect(tokens).toBeGreaterThan(CHUNK_TOKENS_TARGET * 0.8);
    }
  });

  it('starts a chunk at a heading rather than within a section', () => {
    const section = (n: number): string => `# Section ${n}\n\n${PROSE.repeat(10)}\n\n`;
    const chunks = chunkText(section(1) + section(2) + section(3));
    expect(chunks.map(({ text }) => text.slice(0, 11))).toEqual(['# Section 1', '# Section 2', '# Section 3']);
  });

  it('never leaves a heading behind, whatever stands before it', () => {
    for (let sentences = 1; sentences < 40; sentences++) {
      const text = `${PROSE.repeat(sentences)}\n\n# Part\n\n## Section\n\n${PROSE.repeat(12)}\n\n### Detail\n\n${PROSE.repeat(30)}`;
      const chunks = chunkText(text);
      expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
      for (const chunk of chunks) {
        expect(chunk.text.trimEnd().split('\n').at(-1)).not.toMatch(/^#/);
        expect(chunk.tokens).toBeLessThanOrEqual(CHUNK_TOKENS_MAX);
      }
    }
  });

  it('cuts at the ends of pages and never mixes parts of two', () => {
    const page = (n: number): string => `Page ${n}. ${PROSE.repeat(30)}`;
    const pages = [1, 2, 3, 4].map(page);
    const chunks = chunkText(pages.join('\f'));
    expect(chunks.map(({ text }) => text).join('')).toBe(pages.join('\f'));
    for (const { text } of chunks) expect(text.replace(/\f$/, '')).not.toContain('\f');
    expect(chunks.filter(({ text }) => text.startsWith('Page '))).toHaveLength(4);
  });

  it('puts tiny pages together, whole, and gives a blank one to the page before it', () => {
    const slides = Array.from({ length: 10 }, (_, i) => `Slide ${i} ${PROSE.repeat(2)}`);
    const chunks = chunkText(slides.join('\f'));
    expect(chunks.length).toBeLessThan(4);
    for (const { text } of chunks.slice(0, -1)) expect(text).toMatch(/^Slide [^]*\f$/);
    expect(chunkText(`${PROSE.repeat(25)}\f\f \f${PROSE.repeat(25)}`).map(({ text }) => text.endsWith('\f'))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('keeps the rows of a table whole', () => {
    const row = (i: number): string => `${i},"A name. With a stop","${'value '.repeat(i % 60)}",2026-01-0${i % 9}`;
    const rows = Array.from({ length: 400 }, (_, i) => row(i));
    const chunks = chunkText(`${rows.join('\n')}\n`);
    expect(chunks.flatMap(({ text }) => text.trimEnd().split('\n'))).toEqual(rows);
    expect(chunks.length).toBeGreaterThan(10);
  });

  it('gives the text back, whatever it is', () => {
    const hostile = fc.constantFrom(
      '\n',
      '\f',
      '\r\n',
      ' ',
      '\t',
      '.',
      '# ',
      '😀',
      '漢',
      '한',
      'é',
      'ß',
      '"',
      'word',
      '12345',
      '\u3000',
    );
    const anything = fc.oneof(
      fc
        .array(fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 40 })), { maxLength: 400 })
        .map((parts) => parts.join('')),
      fc.array(hostile, { minLength: 1_000, maxLength: 3_000 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        fc.pre(text.length > 0);
        expectSegmentsOf(text);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a word of 100,000 letters', 'x'.repeat(100_000)],
    ['a number of 100,000 digits', '7'.repeat(100_000)],
    ['emoji without a break', '😀👩‍👩‍👧‍👦'.repeat(5_000)],
    ['Chinese without a break', '系统将每次更改保存'.repeat(5_000)],
    ['Korean without a break', '시스템은모든변경'.repeat(5_000)],
    ['newlines only', '\n'.repeat(50_000)],
    ['white space only', ' \t\u3000'.repeat(30_000)],
    ['lines that end in CRLF', `${PROSE}\r\n`.repeat(500)],
    ['punctuation', '."\')'.repeat(20_000)],
    ['combining marks', `a${'\u0301'.repeat(20_000)}`],
  ])('cuts %s', (_, text) => {
    expectSegmentsOf(text);
  });

  it.each([
    ['prose', PROSE],
    ['spaces', '\u3000'],
    ['words and much room', `word${'\u3000'.repeat(60)}`],
    ['newlines', '\n'],
    ['Chinese', '漢'],
  ])('keeps ops of the longest text of %s below what the broker takes', (_, unit) => {
    const text = unit.repeat(Math.ceil(ITEM_TEXT_CHARS_MAX / unit.length)).slice(0, ITEM_TEXT_CHARS_MAX);
    const chunks = chunkText(text);
    const sizes = chunks.map((chunk) => (new TextEncoder().encode(chunk.text).length * 4) / 3 + 300);
    for (let start = 0; start < sizes.length; start += CHUNKS_PER_OP_MAX) {
      const bytes = sizes.slice(start, start + CHUNKS_PER_OP_MAX).reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeLessThan(BROKER_PAYLOAD_BYTES_MAX * 0.9);
    }
  });

  it.each([
    ['prose', PROSE],
    ['one word', 'x'],
    ['newlines', '\n'],
    ['pages', '\f'],
    ['headings', '# a\n'],
    ['headings of many words', `# ${'word '.repeat(50)}\n\n`],
    ['spaces after a heading', `# ${' '.repeat(2_000)}x\n`],
    ['lines of spaces', `\n${' '.repeat(999)}`],
    ['quotes after a stop', `.${'"'.repeat(999)}`],
  ])('cuts the longest text of %s in little more time than it takes to read it', (_, unit) => {
    const text = unit.repeat(Math.ceil(ITEM_TEXT_CHARS_MAX / unit.length)).slice(0, ITEM_TEXT_CHARS_MAX);
    // Of this process alone: a busy machine must not fail it.
    const started = process.cpuUsage();
    expect(chunkText(text).length).toBeGreaterThan(1);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});

describe('counting tokens', () => {
  it.each([
    ['', 0],
    ['   \n', 0],
    ['word', 1],
    ['internationalization', 6],
    ['2026', 2],
    ['漢字', 2],
    ['한', 3],
    ['a, b', 3],
  ])('counts %j as %i', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it('counts parts that white space divides like the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(countTokens(a) + countTokens(b)).toBe(countTokens(`${a} ${b}`));
      }),
    );
  });
});
