import { CHUNK_TOKENS_MAX, fail } from '@cairn/contracts';
import { countTokens } from '@cairn/domain';

/** As the chunker has it: a chunk is bounded in characters too, whatever they count in tokens. */
const CHARS_PER_TOKEN_MAX = 6;
const CHARS_MAX = CHUNK_TOKENS_MAX * CHARS_PER_TOKEN_MAX;

export const tooLong = () =>
  fail('correction.too_long', `the proposed text is longer than the ${CHUNK_TOKENS_MAX} tokens of a chunk`, {
    field: 'instruction',
    limit: CHUNK_TOKENS_MAX,
  });

const unusable = (message: string) => fail('correction.unusable', message, { field: 'instruction' });

/** What was proposed, if it can take the place of the text; whoever has proposed it. */
export const usableProposal = (text: string, proposed: string): string => {
  const normal = proposed.normalize('NFC');
  if (normal.trim() === '') {
    throw unusable(
      'the proposed text is empty: say what should stand there instead, or use forget to remove the chunk',
    );
  }
  if (!normal.isWellFormed() || normal.includes('\u0000')) {
    throw unusable('the proposed text holds characters that cannot be stored: say the change in other words');
  }
  if (normal.length > CHARS_MAX || countTokens(normal) > CHUNK_TOKENS_MAX) throw tooLong();
  if (normal === text) throw unusable('the proposal would change nothing: say which words should become which others');
  return normal;
};
