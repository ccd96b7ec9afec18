import { CHUNK_CHARS_MAX, CHUNK_TOKENS_MAX, fail } from '@cairn/contracts';
import { countTokens } from '@cairn/domain';

/**
 * The argument that supplied the proposed text: errors name it, because it is the only part that the caller can change.
 */
type Field = 'instruction' | 'newText';

export const tooLong = (field: Field = 'instruction') =>
  fail('correction.too_long', `the proposed text is longer than the ${CHUNK_TOKENS_MAX} tokens of a chunk`, {
    field,
    limit: CHUNK_TOKENS_MAX,
  });

/** The proposed text, if it can replace the text. */
export const usableProposal = (text: string, proposed: string, field: Field = 'instruction'): string => {
  const unusable = (reason: string, advice: string) =>
    fail('correction.unusable', `${reason}: ${field === 'newText' ? 'send another newText' : advice}`, { field });
  const normal = proposed.normalize('NFC');
  if (normal.trim() === '') {
    throw fail(
      'correction.unusable',
      'the proposed text is empty: say what should stand there instead, or use forget to remove the chunk',
      { field },
    );
  }
  if (!normal.isWellFormed() || normal.includes('\u0000')) {
    throw unusable('the proposed text holds characters that cannot be stored', 'say the change in other words');
  }
  if (normal.length > CHUNK_CHARS_MAX || countTokens(normal) > CHUNK_TOKENS_MAX) throw tooLong(field);
  if (normal === text)
    throw unusable('the proposal would change nothing', 'say which words should become which others');
  return normal;
};
