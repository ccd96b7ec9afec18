import { describe, expect, it } from '@jest/globals';
import type { ItemLink } from '../../api/answers.js';
import { linkWords, otherEnd } from './link-words.js';

const LINK: ItemLink = {
  id: 'l',
  fromItemId: 'from',
  toItemId: 'to',
  type: 'supports',
  confidence: 1,
  sourceKind: 'extracted',
  direction: 'out',
};

describe('a link on the page of an item', () => {
  it('points to the other item', () => {
    expect(otherEnd(LINK)).toBe('to');
    expect(otherEnd({ ...LINK, direction: 'in' })).toBe('from');
  });

  it('is worded from the side of the item', () => {
    expect(linkWords(LINK)).toBe('supports');
    expect(linkWords({ type: 'supports', direction: 'in' })).toBe('supported by');
  });
});
