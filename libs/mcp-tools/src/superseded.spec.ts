import { describe, expect, it } from '@jest/globals';
import { isSuperseded } from './superseded.js';

describe('whether an item is superseded', () => {
  it.each([
    [{ superseded: true, supersededById: 'b' }, true],
    [{ superseded: true, supersededById: null }, true],
    [{ superseded: false, supersededById: null }, false],
    // An earlier build names only the replacement.
    [{ supersededById: 'b' }, true],
    [{ supersededById: null }, false],
  ])('derives from %j: %s', (item, expected) => expect(isSuperseded(item)).toBe(expected));
});
