import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { inOwnWords } from './own-words.js';

const words = { arguments: ['folder_id', 'in_kb', 'tags'], cameFrom: { folderId: 'folder_id', inKb: 'in_kb' } };

describe('a refusal in the terms of a tool', () => {
  it('names the argument that supplied a field, in its field and in its message', () => {
    const refusal = fail('item.kb_only', 'inKb must be true, and inKbs is another word', { field: 'inKb', limit: 1 });
    expect(inOwnWords(refusal, words)).toMatchObject({
      code: 'item.kb_only',
      kind: refusal.kind,
      message: 'in_kb must be true, and inKbs is another word',
      details: { field: 'in_kb', limit: 1 },
    });
  });

  it('keeps the path within an argument', () => {
    const refusal = fail('input.invalid', 'tags[3] must be kebab-case', { field: 'tags[3]' });
    expect(inOwnWords(refusal, words)).toMatchObject({ message: refusal.message, details: { field: 'tags[3]' } });
  });

  it('treats a plain word as a field only at the beginning of the message', () => {
    const named = { arguments: ['target_engram'], cameFrom: { name: 'target_engram' } };
    const refusal = fail('input.invalid', 'name must not be blank: name another', { field: 'name' });
    expect(inOwnWords(refusal, named)).toMatchObject({
      message: 'target_engram must not be blank: name another',
      details: { field: 'target_engram' },
    });
  });

  it('names no field that the tool does not accept', () => {
    const refusal = fail('folder.required', 'there is no folder', { field: 'graphs' });
    expect(inOwnWords(refusal, words)).toMatchObject({ details: {} });
    expect((inOwnWords(refusal, words) as typeof refusal).details).not.toHaveProperty('field');
  });

  it('leaves everything else unchanged', () => {
    for (const thrown of [fail('busy', 'folderId is busy'), new Error('x')])
      expect(inOwnWords(thrown, words)).toBe(thrown);
  });
});
