import { describe, expect, it } from '@jest/globals';
import { nameIn } from './op-name.js';

describe('the name shown for an op without an item', () => {
  it.each([
    ['a folder', { folderId: '1', name: 'Work' }, 'Work'],
    ['a memory that waits', { confirmationId: '1', sealed: { label: 'A note', text: 'x' } }, 'A note'],
    ['one whose text is gone', { confirmationId: '1', sealed: '<forgotten>' }, undefined],
    ['a token that was revoked', { tokenId: '1' }, undefined],
    ['nothing', {}, undefined],
  ])('is the expected one for %s', (_, data, name) => expect(nameIn(data)).toBe(name));
});
