import { describe, expect, it } from '@jest/globals';
import { codePoints, ITEM_TEXT_CHARS_MAX, ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';
import { fittedDocument, fittedQuery } from './fitted.js';

describe('a document of a published set', () => {
  it('that fits is stored unchanged', () => {
    expect(fittedDocument({ id: 'd', title: 'A title', text: 'A text.' })).toEqual({
      title: 'A title',
      text: 'A text.',
    });
  });

  it.each([
    ['no text', { title: 'A title', text: ' ' }, { title: 'A title', text: 'A title' }],
    ['no title', { title: '', text: 'A text.' }, { title: 'd-1', text: 'A text.' }],
    ['neither', { title: '', text: '' }, { title: 'd-1', text: 'd-1' }],
    ['what no text may hold', { title: 'a\u0000b', text: 'x\ud800y' }, { title: 'a b', text: 'x\ufffdy' }],
  ])('with %s is stored', (_, document, stored) => {
    expect(fittedDocument({ id: 'd-1', ...document })).toEqual(stored);
  });

  it('that is too long is cut to the limits of an item, at a whole character', () => {
    const { title, text } = fittedDocument({ id: 'd', title: '😀'.repeat(600), text: `a${'😀'.repeat(600_000)}` });
    expect([codePoints(title), title.endsWith('😀')]).toEqual([ITEM_TITLE_CHARS_MAX, true]);
    expect([codePoints(text), text.isWellFormed()]).toEqual([ITEM_TEXT_CHARS_MAX, true]);
    const whole = 'x'.repeat(ITEM_TEXT_CHARS_MAX);
    expect(fittedDocument({ id: 'd', title: 't', text: `${whole}y` }).text).toBe(whole);
  });

  it('is measured after normalisation, which makes some characters longer', () => {
    const { text } = fittedDocument({ id: 'd', title: 't', text: '\u0958'.repeat(400_000) });
    expect([codePoints(text), text.normalize('NFC') === text]).toEqual([ITEM_TEXT_CHARS_MAX, true]);
  });
});

describe('a query of a published set', () => {
  it('that is too long is cut to the limit of a query', () => {
    expect(fittedQuery(' why? ')).toBe('why?');
    expect(Array.from(fittedQuery('😀'.repeat(3_000)))).toHaveLength(2_000);
    expect(fittedQuery('')).toBe('?');
  });
});
