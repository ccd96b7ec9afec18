import { describe, expect, it } from '@jest/globals';
import { limitsPage } from './gen-docs-limits.mjs';

const UPLOADS = {
  name: 'held-uploads',
  source: '// Files, and the forms\n// that carry them.\n\nexport const …',
  values: { FILE_BYTES_MAX: 20_971_520, bytesOf: () => 1 },
};

describe('the page of the limits', () => {
  it('has a section for each file, with what it limits and its numbers', () => {
    expect(limitsPage([UPLOADS], UPLOADS.values)).toContain(
      '## Held uploads\n\nFiles, and the forms\nthat carry them.\n\n| name | value |\n| --- | --- |\n| `FILE_BYTES_MAX` | 20,971,520 |\n',
    );
  });

  it.each([
    [
      'a file that does not open with a comment',
      [{ ...UPLOADS, source: 'export const …' }],
      UPLOADS.values,
      /opens? with/,
    ],
    ['a limit outside the files', [UPLOADS], { ...UPLOADS.values, TAGS_MAX: 16 }, /^TAGS_MAX must be in a file/],
    ['a file that is not exported', [UPLOADS], {}, /must also export the file of FILE_BYTES_MAX/],
  ])('is refused for %s', (_, files, exported, message) => {
    expect(() => limitsPage(files, exported)).toThrow(message);
  });
});
