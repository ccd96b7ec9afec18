import { z } from 'zod';
import { ECHO_CHARS_MAX, ISO_TIME_CHARS_MAX, SLUG_CHARS_MAX, TAG_CHARS_MAX, TAGS_MAX } from './limits.js';
import { plural } from './plural.js';

/** Counts characters as JSON Schema does: an astral character counts once, though it takes two UTF-16 units. */
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
  // No character takes more than two units, so a long text need not be split as a whole.
  [...text.slice(0, 2 * max)].slice(0, max).join('');

/** A caller's value, shortened for an error message: the caller knows the rest. */
export const echoed = (value: string): string => value.slice(0, ECHO_CHARS_MAX).toWellFormed();

/** A text of at most `max` characters: the whole text, or its beginning, cut at a word and marked with an ellipsis. */
export const cutAtWord = (text: string, max: number): string => {
  if (firstChars(text, max) === text) return text;
  const head = firstChars(text, max - 1);
  const end = /^\s/u.test(text.slice(head.length)) ? head.length : head.search(/\s\S*$/u);
  // A single long word, or a script without spaces, is cut anywhere.
  return `${head.slice(0, end > head.length / 2 ? end : head.length).replace(/[\s,;:–—-]+$/u, '')}…`;
};

/** Part of a pattern: scripts that put no spaces between words. The dash lengthens a vowel in both kana. */
export const UNSPACED_SCRIPTS =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

interface TextBounds {
  readonly min: number;
  readonly max: number;
  readonly mayBeBlank: boolean;
}

interface TextFault {
  readonly message: string;
  readonly params?: { readonly limit: number };
}

const faultOf = (value: string, { min, max, mayBeBlank }: TextBounds): TextFault | undefined => {
  if (!value.isWellFormed()) return { message: 'must not contain a lone surrogate' };
  if (value.includes('\u0000')) return { message: 'must not contain a NUL character' };
  const length = codePoints(value);
  if (length < min) return { message: `must have at least ${plural(min, 'character')}`, params: { limit: min } };
  if (!mayBeBlank && value.trim() === '') return { message: 'must not be blank' };
  if (length <= max) return undefined;
  return { message: `must have at most ${plural(max, 'character')}, has ${length}`, params: { limit: max } };
};

const normalFaultOf = (value: string, max: number): TextFault | undefined => {
  const length = codePoints(value.normalize('NFC'));
  if (length <= max) return undefined;
  const message = `must have at most ${plural(max, 'character')}, has ${length} in normal form (NFC)`;
  return { message, params: { limit: max } };
};

const faultless = (faultIn: (value: string) => TextFault | undefined) =>
  z.string().superRefine((value, ctx) => {
    const fault = faultIn(value);
    if (fault) ctx.addIssue({ code: 'custom', input: value, ...fault, params: fault.params ?? {} });
  });

/**
 * Text from outside: NFC-normalised, no NUL, no lone surrogate, bounds counted in code points (as JSON Schema counts
 * them). The bounds are also in the schema's metadata, so that the published JSON Schema shows them. They apply to the
 * text as sent and as stored: some characters grow when they are normalised, most shrink.
 */
export const text = (min: number, max: number, { mayBeBlank = true } = {}) =>
  faultless((value) => faultOf(value, { min, max, mayBeBlank }) ?? normalFaultOf(value, max))
    .overwrite((value) => value.normalize('NFC'))
    .meta({ minLength: min, maxLength: max });

/** A name by which something outside is found again, such as a path: checked like text and kept as it is. */
export const verbatim = (min: number, max: number) =>
  faultless((value) => faultOf(value, { min, max, mayBeBlank: true })).meta({ minLength: min, maxLength: max });

/** Text for a person to read, so white space alone is refused. */
export const filled = (max: number) => text(1, max, { mayBeBlank: false });

export const Uuid = z.uuid({ message: 'must be a UUID' }).overwrite((value) => value.toLowerCase());
export type Uuid = string;

const FIRST_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Limited to times that every store can hold. Once its offset is applied, a time may fall outside four-digit years. */
export const IsoTime = z.iso
  .datetime({ offset: true, message: 'must be an ISO-8601 time such as 2027-01-31T12:00:00Z' })
  .max(ISO_TIME_CHARS_MAX)
  .refine((value) => {
    const at = Date.parse(value);
    return at >= FIRST_TIME_MS && at <= LAST_TIME_MS;
  }, 'must be in the years 1 to 9999, in UTC');

/** A day that exists, within the years that every store can hold. */
export const isDay = (value: string): boolean => z.iso.date().safeParse(value).success && !value.startsWith('0000');

/** A day in UTC, or a time. */
export const DayOrTime = text(1, ISO_TIME_CHARS_MAX).refine(
  (value) => isDay(value) || IsoTime.safeParse(value).success,
  'must be a day such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z',
);

export const slugOf = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words of a-z and 0-9 joined by hyphens');

export const Slug = slugOf(SLUG_CHARS_MAX);

/** Folds case, then refuses anything that is not kebab-case. */
export const Tag = z
  .string()
  .min(1)
  .max(TAG_CHARS_MAX)
  .regex(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, 'must be kebab-case: words of a-z and 0-9 joined by hyphens')
  .overwrite((value) => value.toLowerCase());

/** A set: tags that are equal after folding count once. The bound applies to the list as sent. */
export const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .overwrite((tags) => [...new Set(tags)]);

export const AgentId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_.:-]*$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -');

/** A sentence with the white space after it, within one line. */
const SENTENCE = /[^\n]*?(?:[.!?]["'”’)\]]*[ \t]+(?=\S)|\n|$)/gu;

/** The sentences of a text; joined, they are the text again. */
export const sentencesOf = (text: string): string[] => text.match(SENTENCE)!.filter((sentence) => sentence !== '');
