import { describe, expect, it } from '@jest/globals';
import { BODY_BYTES_MAX, ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import { itemBody } from './item-body.js';

const item = (text: string) => ({ title: 'A title', text, folderId: 'f' });

describe('the request that stores an item', () => {
  it('is JSON while the body is within the byte limit', () => {
    const most = item('x'.repeat(BODY_BYTES_MAX - JSON.stringify(item('')).length));
    expect(itemBody(most)).toBe(most);
    expect(itemBody(item(`${most.text}x`))).toBeInstanceOf(FormData);
  });

  it('is a form with a file when the JSON body would exceed the limit', async () => {
    const text = '語'.repeat(ITEM_TEXT_CHARS_MAX);
    const form = itemBody(item(text)) as FormData;
    expect([form.get('title'), form.get('folderId')]).toEqual(['A title', 'f']);
    const file = form.get('file') as File;
    expect(file.name).toBe('document.txt');
    expect((await file.text()) === text).toBe(true);
  });
});
