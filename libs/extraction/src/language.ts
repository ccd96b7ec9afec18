import { ENGLISH_FUNCTION_WORDS, FOREIGN_FUNCTION_WORDS } from './lexicon.js';

/** Below this number of words, the share says little. */
const WORDS_MIN = 30;
const ENGLISH_SHARE_MIN = 0.08;

/** "Ludwig van Houten" reveals nothing about the language of the text. */
const PARTICLE =
  /(?<=\p{Lu}\p{L}{1,30} )(?:van|von|de|la|der|den|del|da|dos|di|du|el|le|y)(?: (?:la|der|den|los))?(?= \p{Lu})/gu;

/**
 * Whether the rules for English apply. Notes without function words count as English unless other words indicate
 * another language: the names in them are worth the rare mistake.
 */
export const isEnglish = (text: string): boolean => {
  const words =
    text
      .replace(PARTICLE, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => ENGLISH_FUNCTION_WORDS.has(word)).length;
  const foreign = words.filter((word) => FOREIGN_FUNCTION_WORDS.has(word)).length;
  if (foreign > english) return false;
  const latin = words.filter((word) => /^\p{Script=Latin}+$/u.test(word)).length;
  if (latin * 2 < words.length) return false;
  return words.length < WORDS_MIN || english / words.length >= ENGLISH_SHARE_MIN;
};
