import { type EntityType } from '@cairn/contracts';

/**
 * A chunk is shorter than this; text beyond it is not read. The bound limits the time of a call, whatever the caller
 * sends.
 */
export const TEXT_CHARS_MAX = 20_000;
/** The tagger's time grows with the square of a word's length, and no name is this long. */
const WORD_CHARS_MAX = 80;
/** More than the number that is ever reported. */
const MARKS_MAX = 256;

/** A name that its writer marked as one. Offsets cover the name, without the marks around it. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly type: EntityType | null;
  readonly isExplicit: boolean;
}

/** A text of the same length as the original that the tagger can read, and the marks found in it. */
export interface PreparedText {
  readonly original: string;
  readonly text: string;
  readonly marks: readonly Mark[];
}

interface MarkRule {
  readonly pattern: RegExp;
  readonly type: EntityType | null;
  readonly isExplicit: boolean;
  /** Whether the tagger sees one invented word instead of the words of the mark. */
  readonly isOpaque: boolean;
}

// Each pattern has one group, the name. Repetitions are bounded, so that no text makes them slow.
const MARK_RULES: readonly MarkRule[] = [
  { pattern: /\[\[([^[\]|\n]{1,80})(?:\|[^[\]\n]{0,80})?\]\]/gu, type: null, isExplicit: true, isOpaque: false },
  {
    pattern:
      /(?<![\p{L}\p{N}._%+-])([\p{L}\p{N}_%+][\p{L}\p{N}._%+-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4})/gu,
    type: 'person',
    isExplicit: true,
    isOpaque: true,
  },
  {
    pattern: /(?<![\p{L}\p{N}@._/-])(@[\p{L}][\p{L}\p{N}_-]{1,38})/gu,
    type: 'person',
    isExplicit: true,
    isOpaque: true,
  },
  { pattern: /(?<![\p{L}\p{N}#&/])#([\p{L}][\p{L}\p{N}_-]{1,48})/gu, type: 'topic', isExplicit: true, isOpaque: true },
  { pattern: /`(?=[^`\s]{0,60}[\p{Lu}.-])([\p{L}@_][^`\s]{1,60})`/gu, type: 'tool', isExplicit: true, isOpaque: true },
  {
    pattern:
      /(?<![\p{L}\p{N}.])(\p{Lu}[\p{L}\p{N}]{0,30}\.(?:js|ts|io|ai|net|NET|py|rs)|C\+\+|[CF]#)(?![\p{L}\p{N}])/gu,
    type: 'tool',
    isExplicit: false,
    isOpaque: true,
  },
];

/** Not prose: code, addresses and text in backticks. The tagger sees spaces or an ordinary word instead. */
const BLANKED = [/```[\s\S]*?(?:```|$)/gu, /<!--[\s\S]*?(?:-->|$)/gu];
const DULLED = [/(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,12}:\/\/[^\s<>)\]]+/giu, /`[^`\n]{1,200}`/gu];

const replaceSpan = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

const blanksFor = (found: string): string => found.replace(/[^\n]/gu, (char) => ' '.repeat(char.length));
const dullWord = (found: string): string => 'x'.repeat(found.length);
const inventedWord = (length: number): string => `X${'x'.repeat(length - 1)}`;

/** Letters that NFD does not decompose. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Þ: 'T',
  þ: 't',
  ı: 'i',
  İ: 'I',
  '’': "'",
  '‘': "'",
  ' ': ' ',
};

const foldedUnit = (unit: string): string => {
  // A combining accent is replaced by a letter, so that it does not split the word.
  if (/\p{M}/u.test(unit)) return 'e';
  const base = BASE_LETTERS[unit] ?? unit.normalize('NFD')[0] ?? ' ';
  if (/[\p{L}\p{N}\p{P}\s$€£%+=<>|^~`]/u.test(base)) return base;
  return ';';
};

/**
 * The tagger knows only Latin letters and splits words at others, so accents are dropped, UTF-16 unit by unit, and
 * offsets stay valid. Other signs (arrows, emoji) separate words like a semicolon.
 */
const folded = (text: string): string =>
  text.replace(/[^\n\x20-\x7e“”–—]/gu, (char) => (char.length === 1 ? foldedUnit(char) : ';'.repeat(char.length)));

const GIANT_WORD = new RegExp(`\\S{${WORD_CHARS_MAX + 1},}`, 'gu');
const withoutGiantWords = (text: string): string => text.replace(GIANT_WORD, blanksFor);

const overlaps = (marks: readonly Mark[], start: number, end: number): boolean =>
  marks.some((mark) => mark.start < end && start < mark.end);

const marksOf = (
  text: string,
): { readonly mark: Mark; readonly from: number; readonly to: number; readonly isOpaque: boolean }[] => {
  const found: { mark: Mark; from: number; to: number; isOpaque: boolean }[] = [];
  for (const { pattern, type, isExplicit, isOpaque } of MARK_RULES)
    for (const match of text.matchAll(pattern)) {
      const name = match[1]!;
      const start = match.index + match[0].indexOf(name);
      const end = start + name.length;
      if (
        found.length < MARKS_MAX &&
        !overlaps(
          found.map(({ mark }) => mark),
          start,
          end,
        )
      )
        found.push({
          mark: { start, end, type, isExplicit },
          from: match.index,
          to: match.index + match[0].length,
          isOpaque,
        });
    }
  return found.sort((a, b) => a.mark.start - b.mark.start);
};

/** Replaces everything that the tagger must not see with something harmless of the same length. */
export const prepareText = (original: string): PreparedText => {
  const read = original.slice(0, TEXT_CHARS_MAX);
  let text = BLANKED.reduce((out, pattern) => out.replace(pattern, blanksFor), withoutGiantWords(read));
  const found = marksOf(text);
  for (const { mark, from, to, isOpaque } of found) {
    const length = mark.end - mark.start;
    const inner = isOpaque ? inventedWord(length) : text.slice(mark.start, mark.end);
    text = replaceSpan(text, from, to, ' '.repeat(mark.start - from) + inner + ' '.repeat(to - mark.end));
  }
  text = DULLED.reduce((out, pattern) => out.replace(pattern, dullWord), text);
  return { original: read, text: folded(text), marks: found.map(({ mark }) => mark) };
};
