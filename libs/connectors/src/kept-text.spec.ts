import { describe, expect, it } from '@jest/globals';
import { HOLLOW_TOKENS_MAX } from '@cairn/contracts';
import { countTokens } from '@cairn/domain';
import { hollowSummary, keptText } from './kept-text.js';

const ENTRY = { ref: 'a.md', title: 'a', facts: { File: 'a.md', Size: '12 bytes' } };
const body = () => Promise.resolve({ title: 'Plan', text: '# Part one\n\nThe first sentence. The second one.' });

describe('the stored part of a document', () => {
  it('is its text, a summary of it, its metadata, or nothing', async () => {
    expect((await keptText('full', ENTRY, body)).text).toContain('# Part one');
    expect((await keptText('hollow', ENTRY, body)).text).toBe(
      'Plan\n- Part one\n\nThe first sentence.\n\nThe second one.',
    );
    const unread = () => Promise.reject(new Error('read'));
    expect((await keptText('metadata', ENTRY, unread)).text).toBe('a\nFile: a.md\nSize: 12 bytes');
    expect(JSON.stringify(await keptText('dark', ENTRY, unread))).not.toContain('a.md');
  });

  it('is a summary of at most 200 tokens, however long title and text are', () => {
    const long = 'Many words of a sentence follow here. '.repeat(400);
    for (const title of ['Plan', long]) {
      const summary = hollowSummary(title, `# One\n${long}`);
      expect(countTokens(summary)).toBeLessThanOrEqual(HOLLOW_TOKENS_MAX);
      expect(hollowSummary(title, `# One\n${long}`)).toBe(summary);
    }
  });
});
