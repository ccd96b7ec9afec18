import { describe, expect, it } from '@jest/globals';
import { shownTitle, titleFrom } from './item-title.js';

const WORD = 'a'.repeat(30);

describe('a title from a text', () => {
  it.each([
    ['a short text', 'The port is 4222.', 'The port is 4222.'],
    ['the first line', 'First line\nsecond line', 'First line'],
    ['the first line with words', '\n  \n\t First line \r\nsecond', 'First line'],
    ['a heading', '# Deploy notes\n\nRun it.', 'Deploy notes'],
    ['a list', '- buy milk\n- buy tea', 'buy milk'],
    ['front matter', '---\ntitle: x\n---', 'title: x'],
    ['a quotation', '> > quoted', 'quoted'],
    ['marks that belong to a word', '#tag -5 degrees', '#tag -5 degrees'],
    ['nothing but marks', ' --- ', '---'],
    ['white space inside', 'a\t b\u0000c', 'a b c'],
    ['a line of 80 characters', 'x'.repeat(80), 'x'.repeat(80)],
    ['a longer line, cut at a word', `${WORD} ${WORD} ${WORD}`, `${WORD} ${WORD}…`],
    ['a word that ends at the limit', `${'x'.repeat(39)} ${'y'.repeat(39)} z`, `${'x'.repeat(39)} ${'y'.repeat(39)}…`],
    ['a long word after a short one', `see ${'x'.repeat(90)}`, `see ${'x'.repeat(75)}…`],
    ['characters of two units', '😀'.repeat(90), `${'😀'.repeat(79)}…`],
    ['a script without spaces', '漢'.repeat(90), `${'漢'.repeat(79)}…`],
    ['a blank text', ' \n ', 'Untitled'],
  ])('is taken from %s', (_, text, title) => expect(titleFrom(text)).toBe(title));
});

describe('the shown title', () => {
  it('is the given one, and the text is not read', () => {
    const unread = () => {
      throw new Error('read');
    };
    expect(shownTitle('Given', unread)).toBe('Given');
  });

  it.each(['', 'Untitled clip', 'Untitled conversation', 'Untitled text'])(
    'is taken from the text when %j is stored',
    (stored) => expect(shownTitle(stored, () => 'The text.')).toBe('The text.'),
  );

  it('is a placeholder when no text is left', () => expect(shownTitle('', () => undefined)).toBe('Untitled'));
});
