import { describe, expect, it } from '@jest/globals';
import { notFound } from './not-found.js';

describe('notFound', () => {
  it('names the kind of thing by code and message, and the input field that referred to it', () => {
    expect(notFound('item')).toMatchObject({
      code: 'item.not_found',
      kind: 'missing',
      message: 'there is no such item',
      details: { field: 'id' },
    });
  });

  it("carries the caller's details in place of the default ones", () => {
    expect(notFound('folder', { field: 'folderIds[1]' }).details).toEqual({ field: 'folderIds[1]' });
  });
});
