import { describe, expect, it } from '@jest/globals';
import { notFound } from './not-found.js';

describe('notFound', () => {
  it('names the kind of thing by code and message, and the input that named it', () => {
    expect(notFound('item')).toMatchObject({
      code: 'item.not_found',
      kind: 'missing',
      message: 'there is no such item',
      details: { field: 'id' },
    });
  });

  it('carries the details that the caller gives instead', () => {
    expect(notFound('folder', { field: 'folderIds[1]' }).details).toEqual({ field: 'folderIds[1]' });
  });
});
