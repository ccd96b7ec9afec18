import { z } from 'zod';
import { ECHO_CHARS_MAX, ISO_TIME_CHARS_MAX, SLUG_CHARS_MAX, TAG_CHARS_MAX, TAGS_MAX } from './limits.js';
import { plural } from './plural.js';

/** Characters as JSON Schema counts them: an astral one is one, though it takes two units of UTF-16. */
export const codePoints = (text: string): number => {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) count++;
    else {
      count++;
      i++;
    }
  }
  return count;
};

/** The beginning of a text, cut between characters. */
export const firstChars = (text: string, max: number): string =>
  // No character takes more than two units, so a longer text need not be split as a whole.
  [...text.slice(0, 2 * max)].slice(0, max).join('');

/** A caller's value as an error may repeat it: the caller knows the rest. */
export const echoed = (value: string): string => value.slice(0, ECHO_CHARS_MAX).toWellFormed();

/** A text of at most so many characters: the whole one, or its beginning, cut at a word, with a mark. */
export const cutAtWord = (text: string, max: number): string => {
  if (firstChars(text, max) === text) return text;
  const head = firstChars(text, max - 1);
  const end = /^\s/u.test(text.slice(head.length)) ? head.length : head.search(/\s\S*$/u);
  // A single long word, or a script without blanks, is cut anywhere.
  return `${head.slice(0, end > head.length / 2 ? end : head.length).replace(/[\s,;:–—-]+$/u, '')}…`;
};

/** Part of a pattern: scripts that put no spaces between words. The dash lengthens a vowel in both kana. */
export const UNSPACED_SCRIPTS =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

/**
 * Text from outside: NFC-normalised, no NUL, no lone surrogate, bounds counted in code points (as JSON Schema counts
 * them). The bounds are put into the schema's metadata too, so that the published JSON Schema shows them. They hold for
 * what was sent and for what is stored: some characters grow when they are normalised, most shrink.
 */
export const text = (min: number, max: number, { mayBeBlank = true } = {}) =>
  z
    .string()
    .superRefine((value, ctx) => {
      const refuse = (message: string, params = {}) => ctx.addIssue({ code: 'custom', message, input: value, params });
      if (!value.isWellFormed()) return refuse('must not contain a lone surrogate');
      if (value.includes('\u0000')) return refuse('must not contain a NUL character');
      const length = codePoints(value);
      if (length < min) return refuse(`must have at least ${plural(min, 'character')}`, { limit: min });
      if (!mayBeBlank && value.trim() === '') return refuse('must not be blank');
      if (length > max) return refuse(`must have at most ${plural(max, 'character')}, has ${length}`, { limit: max });
      const stored = codePoints(value.normalize('NFC'));
      if (stored > max)
        refuse(`must have at most ${plural(max, 'character')}, has ${stored} in normal form (NFC)`, { limit: max });
    })
    .overwrite((value) => value.normalize('NFC'))
    .meta({ minLength: min, maxLength: max });

/** Text for a person to read, so white space alone is refused. */
export const filled = (max: number) => text(1, max, { mayBeBlank: false });

export const Uuid = z.uuid({ message: 'must be a UUID' }).overwrite((value) => value.toLowerCase());
export type Uuid = string;

const FIRST_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Bounded to what every store can hold. With its offset applied, a time may fall outside years of four digits. */
export const IsoTime = z.iso
  .datetime({ offset: true, message: 'must be an ISO-8601 time such as 2027-01-31T12:00:00Z' })
  .max(ISO_TIME_CHARS_MAX)
  .refine((value) => {
    const at = Date.parse(value);
    return at >= FIRST_TIME_MS && at <= LAST_TIME_MS;
  }, 'must be in the years 1 to 9999, in UTC');

export const Slug = z
  .string()
  .min(1)
  .max(SLUG_CHARS_MAX)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words of a-z and 0-9 joined by hyphens');

/** Folds case, then refuses anything that is not kebab-case. */
export const Tag = z
  .string()
  .min(1)
  .max(TAG_CHARS_MAX)
  .regex(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, 'must be kebab-case: words of a-z and 0-9 joined by hyphens')
  .overwrite((value) => value.toLowerCase());

/** A set: tags that are the same after folding count once. The bound is on what was sent. */
export const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .overwrite((tags) => [...new Set(tags)]);

export const AgentId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_.:-]*$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -');

/** A sentence with the white space behind it, within one line. */
const SENTENCE = /[^\n]*?(?:[.!?]["'”’)\]]*[ \t]+(?=\S)|\n|$)/gu;

/** The sentences of a text; together they are the text. */
export const sentencesOf = (text: string): string[] => text.match(SENTENCE)!.filter((sentence) => sentence !== '');
