import { describe, expect, it } from '@jest/globals';
import { isFree, LEASE_MS, noted } from './lease-rules.js';

const found = { holder: 'a', revision: 7 };

describe('a lease', () => {
  it('is free without a record, or if its holder has given it up', () => {
    expect(isFree(undefined, 0)).toBe(true);
    expect(isFree({ holder: null, revision: 7, sinceMs: 0 }, 0)).toBe(true);
  });

  it('is free once the same revision was seen for its whole time', () => {
    const seen = noted(undefined, found, 1_000);
    const again = noted(seen, { ...found }, 2_000);
    expect(isFree(again, 1_000 + LEASE_MS - 1)).toBe(false);
    expect(isFree(again, 1_000 + LEASE_MS)).toBe(true);
  });

  it('is not free after a renewal, however long ago the first revision was seen', () => {
    const seen = noted(undefined, found, 1_000);
    const renewed = noted(seen, { holder: 'a', revision: 8 }, 1_000 + LEASE_MS);
    expect(isFree(renewed, 1_000 + LEASE_MS)).toBe(false);
  });

  it('has nothing to remember once its record is gone', () => {
    expect(noted(noted(undefined, found, 1_000), undefined, 2_000)).toBeUndefined();
  });
});
