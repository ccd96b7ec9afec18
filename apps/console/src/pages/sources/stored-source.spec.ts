import { describe, expect, it } from '@jest/globals';
import { filterShowing } from './stored-source.js';

describe('the filters after an item was stored', () => {
  const stored = { kind: 'document', folderId: 'f1' } as const;

  it.each([
    ['', ''],
    ['kind=document&folder=f1&inKb=true', 'kind=document&folder=f1&inKb=true'],
    ['kind=clip&folder=f1', 'folder=f1'],
    ['folder=f2&inKb=false', ''],
  ])('become "%s" → "%s", so the new item is in the list', (before, after) => {
    expect(filterShowing(new URLSearchParams(before), stored).toString()).toBe(after);
  });
});
