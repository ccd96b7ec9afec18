import { describe, expect, it } from '@jest/globals';
import {
  CHUNK_TOKENS_MAX,
  CHUNK_TOKENS_TARGET,
  CHUNKS_PER_OP_MAX,
  ITEM_TEXT_CHARS_MAX,
  PAGES_APART_MAX,
} from '@cairn/contracts';
import fc from 'fast-check';
import { chunkText } from './chunker.js';
import { countTokens } from './token-counter.js';

const PROSE = 'The gateway checks the caller, then stamps one envelope. Nothing is kept that was not acknowledged. ';
const BROKER_PAYLOAD_BYTES_MAX = 1_048_576;

const expectSegmentsOf = (text: string, chunks = chunkText(text)): void => {
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

  it('never separates a heading from its text, whatever precedes it', () => {
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

  it('never separates an underlined heading from its text, and begins a section with it', () => {
    for (const underline of ['=====', '---', '  ---  ']) {
      const section = (n: number): string => `Section ${n}\n${underline}\n\n${PROSE.repeat(10)}\n\n`;
      const chunks = chunkText(section(1) + section(2) + section(3));
      expect(chunks.map(({ text }) => text.slice(0, 9))).toEqual(['Section 1', 'Section 2', 'Section 3']);
      for (let sentences = 1; sentences < 40; sentences++) {
        const text = `${PROSE.repeat(sentences)}\n\nThe title\n${underline}\n${PROSE.repeat(30)}`;
        expectSegmentsOf(text);
        expect(chunkText(text).some((chunk) => chunk.text.includes(`The title\n${underline}\nThe gateway`))).toBe(true);
      }
    }
  });

  it.each([
    ['a line below a list entry', `- one\n- two\nmore of it\n---\n`],
    ['a line below a quote', `> quoted\n---\n`],
    ['a line below a blank one', `The end.\n\n---\n`],
    ['the signature of an email', `Yours,\n-- \nAnn\n`],
    ['a comment in a block of code', '```sh\n# install\n```\n'],
    ['a comment in an indented block of tildes', '   ~~~ python title="a"\n# install\n```\n# run\n   ~~~~\n'],
    ['a comment in a longer fence', '````\n```\n# install\n````\n'],
  ])('does not mistake %s for a heading', (_, block) => {
    // The text after the block would begin its own chunk if the block ended in a heading or began with one.
    const text = `${PROSE.repeat(12)}\n\n${block}${'word '.repeat(60)}\n\n${PROSE.repeat(30)}`;
    const [first] = chunkText(text);
    expect(first!.text).toContain(`${block}word`);
  });

  it('recognises headings again after a block of code', () => {
    const text = `${PROSE.repeat(12)}\n\n\`\`\`\n# no\n\`\`\`\n# Yes\n${PROSE.repeat(12)}`;
    expect(chunkText(text).map((chunk) => chunk.text.slice(0, 5))).toEqual(['The g', '# Yes']);
  });

  it('keeps the properties at the beginning of a Markdown file with its first heading', () => {
    const text = `---\ntitle: A\ntags: b\n---\n\n# One\n\n${PROSE.repeat(12)}\n\n${PROSE.repeat(12)}`;
    expect(chunkText(text)[0]!.text).toMatch(/^---\ntitle: A\ntags: b\n---\n\n# One\n\nThe gateway/);
  });

  it('cuts at the ends of pages and never mixes two', () => {
    const page = (n: number): string => `Page ${n}. ${PROSE.repeat(n % 2 === 0 ? 30 : 0)}`;
    const pages = [1, 2, 3, 4, 5, 7, 9, 11].map(page);
    const chunks = chunkText(pages.join('\f'));
    expect(chunks.map(({ text }) => text).join('')).toBe(pages.join('\f'));
    for (const { text } of chunks) expect(text.replace(/\f$/, '')).not.toContain('\f');
    expect(chunks.filter(({ text }) => text.startsWith('Page '))).toHaveLength(pages.length);
    expect(chunks.length).toBeGreaterThan(pages.length);
  });

  it('makes no chunk from a blank page', () => {
    expect(chunkText('\f \n\fone\f\f\n\f two\f\f').map(({ text }) => text)).toEqual(['\f \n\fone\f\f\n\f', ' two\f\f']);
    expect(chunkText('one\ftwo\f \n').map(({ text }) => text)).toEqual(['one\f', 'two\f \n']);
    expect(chunkText('\f \n').map(({ text }) => text)).toEqual(['\f \n']);
    for (let words = 380; words < 420; words++)
      for (const { tokens } of chunkText(`${'word '.repeat(words)}\n\n\f\f\fnext`)) expect(tokens).toBeGreaterThan(0);
  });

  it('lets pages share chunks when there are thousands of them', () => {
    const chunksOf = (pages: number) => chunkText('a\f'.repeat(pages)).length;
    expect(chunksOf(PAGES_APART_MAX)).toBe(PAGES_APART_MAX);
    expect(chunksOf(PAGES_APART_MAX + 1)).toBeLessThan(10);
  });

  it('cuts JSON between its elements, so that a chunk begins with one', () => {
    const records = Array.from({ length: 60 }, (_, id) => ({
      id,
      name: `Record ${id}`,
      tags: ['a', 'b'],
      in: { x: id },
    }));
    for (const json of [records, { version: 1, records }]) {
      const chunks = chunkText(JSON.stringify(json, null, 2));
      expect(chunks.length).toBeGreaterThan(5);
      for (const { text } of chunks.slice(1)) expect(text).toMatch(/^ +\{\n +"id"/);
      for (const { text } of chunks.slice(0, -1)) expect(text).toMatch(/\},\n$/);
    }
    const [, second] = chunkText(JSON.stringify(records));
    expect(second!.text).toMatch(/^\{"id":/);
  });

  it('cuts an element of JSON that is too long between its properties, and starts a new chunk after it', () => {
    const record = (id: number, words: number) => ({
      id,
      body: { text: 'word '.repeat(words), note: 'word '.repeat(150) },
    });
    const json = [record(1, 300), record(2, 300), record(3, 10), record(4, 350)];
    const begins = chunkText(JSON.stringify(json, null, 1)).map(({ text }) => /"\w+"/.exec(text)?.[0]);
    expect(begins).toEqual(['"id"', '"note"', '"id"', '"note"', '"id"', '"id"', '"note"']);
  });

  it('keeps the rows of a table whole', () => {
    const row = (i: number): string => `${i},"A name. With a stop","${'value '.repeat(i % 60)}",2026-01-0${i % 9}`;
    const rows = Array.from({ length: 400 }, (_, i) => row(i));
    const chunks = chunkText(`${rows.join('\n')}\n`);
    expect(chunks.flatMap(({ text }) => text.trimEnd().split('\n'))).toEqual(rows);
    expect(chunks.length).toBeGreaterThan(10);
  });

  it('reproduces the text from its chunks, whatever it is', () => {
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
      '\n===\n',
      '\n---\n',
      '\n```\n',
    );
    const anything = fc.oneof(
      fc
        .array(fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 40 })), { maxLength: 400 })
        .map((parts) => parts.join('')),
      fc.array(hostile, { minLength: 1_000, maxLength: 3_000 }).map((parts) => parts.join('')),
      fc.array(fc.jsonValue({ maxDepth: 5 }), { minLength: 100 }).map((values) => JSON.stringify(values, null, 1)),
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
    ['words with much white space', `word${'\u3000'.repeat(60)}`],
    ['newlines', '\n'],
    ['Chinese', '漢'],
  ])("keeps ops of the longest text of %s below the broker's limit", (_, unit) => {
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
    ['quotes after a full stop', `.${'"'.repeat(999)}`],
    ['underlined headings', 'a\n=\n'],
    ['fences', '```\n# a\n'],
    ['front matter without an end', `---\n${'name: some value\n'.repeat(32_000)}`],
    ['pages of one letter each', 'a\f'],
    ['spaces after a page', `\f${' '.repeat(999)}`],
  ])('cuts the longest text of %s in little more time than reading it takes', (_, unit) => {
    const text = unit.repeat(Math.ceil(ITEM_TEXT_CHARS_MAX / unit.length)).slice(0, ITEM_TEXT_CHARS_MAX);
    // Measures CPU time of this process only: a busy machine must not fail the test.
    const started = process.cpuUsage();
    expect(chunkText(text).length).toBeGreaterThan(1);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});

describe('cutting the longest JSON', () => {
  const nested = (unit: string, last: string, end: string): string => {
    const depth = Math.floor(ITEM_TEXT_CHARS_MAX / (unit.length + end.length));
    return unit.repeat(depth) + last + end.repeat(depth);
  };

  it.each([
    ['arrays within arrays', nested('[', '1', ']')],
    ['objects within objects', nested('{"a":1,"b":', '1', '}')],
    ['numbers', `[${'1,'.repeat(249_000)}1]`],
    ['one string', `["${'\\"[, '.repeat(99_000)}"]`],
    ['objects', `[${'{"a":[1,2]},'.repeat(40_000)}1]`],
  ])('of %s takes little more time than reading it', (_, text) => {
    const started = process.cpuUsage();
    const chunks = chunkText(text);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
    expect(chunks.length).toBeGreaterThan(100);
    expectSegmentsOf(text, chunks);
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

  it('counts parts separated by white space like the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(countTokens(a) + countTokens(b)).toBe(countTokens(`${a} ${b}`));
      }),
    );
  });
});
