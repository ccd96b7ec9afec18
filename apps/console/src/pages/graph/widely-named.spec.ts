import { describe, expect, it } from '@jest/globals';
import type { Entity } from '../../api/answers.js';
import { widelyNamed } from './widely-named.js';

const entity = (name: string, mentions: number): Entity => ({
  id: name,
  name,
  type: 'person',
  aliases: [],
  mentions,
  lastSeen: '2026-01-01T00:00:00.000Z',
});

describe('the entity of the overview', () => {
  it('is the one with the most mentions, and the first of several with equal counts', () => {
    expect(widelyNamed([entity('Ada', 1), entity('Bea', 3), entity('Cleo', 3)])?.name).toBe('Bea');
  });

  it('is undefined in an empty graph', () => {
    expect(widelyNamed([])).toBeUndefined();
  });
});
