import { describe, expect, it } from '@jest/globals';
import { fittedDocument, fittedQuery } from './fitted.js';

describe('a document of a published set', () => {
  it('is stored as it is where it fits', () => {
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
  ])('is stored although it has %s', (_, document, stored) => {
    expect(fittedDocument({ id: 'd-1', ...document })).toEqual(stored);
  });

  it('is cut by whole characters where it is too long', () => {
    const { title, text } = fittedDocument({ id: 'd', title: '😀'.repeat(600), text: '語'.repeat(300_000) });
    expect([Array.from(title).length, title.endsWith('😀')]).toEqual([500, true]);
    expect([Buffer.byteLength(text) <= 524_288, text.endsWith('語'), text.length > 170_000]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('a query of a published set', () => {
  it('is asked as far as a query may reach', () => {
    expect(fittedQuery(' why? ')).toBe('why?');
    expect(Array.from(fittedQuery('😀'.repeat(3_000)))).toHaveLength(2_000);
    expect(fittedQuery('')).toBe('?');
  });
});
