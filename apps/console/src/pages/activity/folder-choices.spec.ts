import { describe, expect, it } from '@jest/globals';
import type { Candidate, Folder } from '../../api/answers.js';
import { folderChoices } from './folder-choices.js';

const folder = (id: string): Folder => ({
  id,
  slug: id,
  name: id.toUpperCase(),
  tier: 'personal',
  maxTokensPerRecall: null,
  readme: '',
  createdAt: '2026-01-01T00:00:00Z',
});
const candidate = (folderId: string): Candidate => ({ folderId, name: folderId, match: 'same words', score: 1 });
const CHOOSE = { value: '', label: 'Choose a folder…' };

describe('the folders that a waiting memory can be stored in', () => {
  it('are all folders when no name came close', () => {
    expect(folderChoices([], [folder('a'), folder('b')])).toEqual([
      CHOOSE,
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ]);
  });

  it('begin with the closest matches, in the order of the candidates and under their present names, without duplicates', () => {
    const folders = [folder('a'), folder('b'), folder('c')];
    expect(folderChoices([candidate('c'), candidate('gone'), candidate('b')], folders)).toEqual([
      CHOOSE,
      {
        group: 'Closest names',
        items: [
          { value: 'c', label: 'C (same words)' },
          { value: 'b', label: 'B (same words)' },
        ],
      },
      { group: 'All other folders', items: [{ value: 'a', label: 'A' }] },
    ]);
  });

  it('have no empty group', () => {
    expect(folderChoices([candidate('a')], [folder('a')])).toHaveLength(2);
  });
});
