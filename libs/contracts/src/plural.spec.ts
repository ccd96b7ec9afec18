import { describe, expect, it } from '@jest/globals';
import { plural } from './plural.js';

describe('a count with its noun', () => {
  it('is singular for exactly one', () => {
    expect([0, 1, 2].map((count) => plural(count, 'workspace'))).toEqual([
      '0 workspaces',
      '1 workspace',
      '2 workspaces',
    ]);
  });

  it('accepts an irregular plural', () => {
    expect([plural(1, 'entry', 'entries'), plural(3, 'entry', 'entries')]).toEqual(['1 entry', '3 entries']);
  });
});
