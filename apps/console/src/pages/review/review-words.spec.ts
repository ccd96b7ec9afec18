import { describe, expect, it } from '@jest/globals';
import type { ReviewEntry } from '../../api/answers.js';
import { ANSWERS, claimOf, REVIEW_KINDS } from './review-words.js';

const ENTRY: ReviewEntry = {
  id: 'e',
  kind: 'edge',
  sentence: 'Bob Stone might move to Lisbon.',
  itemId: 'i',
  chunkId: 'c',
  subject: 'Bob Stone',
  subjectId: 's',
  predicate: 'located_in',
  object: 'Lisbon',
  objectId: 'o',
  reason: 'r',
};

describe('an entry of Review', () => {
  it('describes in words what is to be decided', () => {
    expect(claimOf(ENTRY)).toEqual(['Bob Stone', 'located in', 'Lisbon']);
    expect(claimOf({ ...ENTRY, kind: 'merge', predicate: 'same_as' })[1]).toBe('is the same as');
  });

  it('has two answers for each kind', () => {
    expect(REVIEW_KINDS.map((kind) => [ANSWERS[kind].yes, ANSWERS[kind].no])).toEqual([
      ['Confirm', 'Reject'],
      ['Merge', 'Not the same'],
      ['Confirm', 'Reject'],
    ]);
  });
});
