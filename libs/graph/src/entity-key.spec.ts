import { describe, expect, it } from '@jest/globals';
import { entityKey } from './entity-key.js';

describe('the key of a name', () => {
  it.each([
    ['Alice Chen', 'alice chen'],
    ['  ALICE\nChen ', 'alice chen'],
    ['Dr. Alice Chen', 'alice chen'],
    ["Alice Chen's", 'alice chen'],
    ['James’', 'james'],
    ['“Meridian Labs”,', 'meridian labs'],
    ['Ａpollo', 'apollo'],
    ['Gonzalez-Ruiz', 'gonzalez-ruiz'],
    ['Node.js', 'node.js'],
    ['C++', 'c++'],
    ['@bob', '@bob'],
    ['Dr', 'dr'],
  ])('of %j is %j', (name, key) => {
    expect(entityKey(name)).toBe(key);
  });

  it.each([
    ['an empty text', ''],
    ['punctuation alone', '?! …'],
    ['seven words', 'one two three four five six seven'],
    ['81 characters', 'a'.repeat(81)],
  ])('does not exist for %s', (_, name) => {
    expect(entityKey(name)).toBeUndefined();
  });
});
