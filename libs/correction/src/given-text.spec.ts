import { CHUNK_TOKENS_MAX } from '@cairn/contracts';
import { describe, expect, it } from '@jest/globals';
import { givenText } from './given-text.js';

describe('a text given by the caller', () => {
  it.each([
    ['We use Jenkins.', 'We use Drone.', 'We use Drone.'],
    ['\n\n  We use Jenkins. \n', 'We use Drone.', '\n\n  We use Drone. \n'],
    ['We use Jenkins.\n\n', 'We use Drone.\n', 'We use Drone.\n'],
    ['Tea.', 'Cafe\u0301', 'Caf\u00e9'],
  ])('replaces the chunk and keeps the whitespace at its ends: %j, %j', (text, newText, proposed) => {
    expect(givenText(text, newText)).toBe(proposed);
  });

  it.each([
    ['  \n ', 'correction.unusable'],
    ['The port is 8443.', 'correction.unusable'],
    ['a\u0000b', 'correction.unusable'],
    ['word '.repeat(CHUNK_TOKENS_MAX + 1), 'correction.too_long'],
    ['x'.repeat(2_881), 'correction.too_long'],
  ])('that is unusable is refused as newText: %j', (newText, code) => {
    expect(() => givenText('The port is 8443.', newText)).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ field: 'newText' }) }),
    );
  });
});
