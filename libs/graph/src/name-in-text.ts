import { entityKey } from './entity-key.js';

/** The place of a name in a text, in UTF-16 units. */
export interface NamePlace {
  readonly start: number;
  readonly end: number;
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** Matches the words of a name in sequence, regardless of case and white space, and not inside other words. */
const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${words.map(escaped).join('\\s+')}(?![\\p{L}\\p{N}])`, 'iu');

/**
 * The first occurrence of a name, as given or in its plain form: "Dr. Alice Chen" is also found where the text has
 * "Alice Chen".
 */
export const placeOfName = (text: string, name: string): NamePlace | undefined => {
  for (const form of [name.trim(), entityKey(name) ?? '']) {
    const words = form.split(/\s+/u).filter((word) => word !== '');
    const found = words.length === 0 ? null : patternOf(words).exec(text);
    if (found) return { start: found.index, end: found.index + found[0].length };
  }
  return undefined;
};
