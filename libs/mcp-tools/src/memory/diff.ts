import { sentencesOf } from '@cairn/contracts';

/** A text of one line up to this length is shown whole, before and after. */
const WHOLE_CHARS_MAX = 300;
const SKIPPED = '  …';

type Mark = '- ' | '+ ' | '  ';

interface Line {
  readonly mark: Mark;
  readonly text: string;
}

/** Without spaces at their ends: the last sentence of a text stays the same when another follows it. */
const piecesOf = (text: string): string[] => sentencesOf(text).map((piece) => piece.replace(/[ \t]+$/u, ''));

const sharedStart = (a: readonly string[], b: readonly string[]): number => {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return i;
  return end;
};

/** Lengths of the longest common suffix of `a` from `i` and `b` from `j`, row by row. */
const commonRests = (a: readonly string[], b: readonly string[]): Uint16Array[] => {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      rows[i]![j] = a[i] === b[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
    }
  }
  return rows;
};

/** Removed lines come before their replacements. */
const edits = (a: readonly string[], b: readonly string[]): Line[] => {
  const rests = commonRests(a, b);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: '  ', text: a[i++]! });
      j++;
    } else if (j >= b.length || (i < a.length && rests[i + 1]![j]! >= rests[i]![j + 1]!)) {
      lines.push({ mark: '- ', text: a[i++]! });
    } else lines.push({ mark: '+ ', text: b[j++]! });
  }
  return lines;
};

const marked = (before: string, after: string): Line[] => {
  const [a, b] = [piecesOf(before), piecesOf(after)];
  const start = sharedStart(a, b);
  const end = sharedStart(a.slice(start).reverse(), b.slice(start).reverse());
  const same = (pieces: readonly string[]): Line[] => pieces.map((text) => ({ mark: '  ', text }));
  const changed = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...changed, ...same(a.slice(a.length - end))];
};

const isChange = (line: Line | undefined): boolean => line !== undefined && line.mark !== '  ';

/** Spaces are not visible. */
const ONLY_BLANKS = '  (only blanks change)';

/** The changed pieces with one unchanged piece around them; a longer run of unchanged pieces becomes one mark. */
const shortened = (lines: readonly Line[]): string[] =>
  lines.flatMap((line, i) => {
    if (isChange(line) || isChange(lines[i - 1]) || isChange(lines[i + 1]))
      return [`${line.mark}${line.text.replace(/\s+$/u, '')}`];
    return i === 0 || isChange(lines[i - 2]) ? [SKIPPED] : [];
  });

const changesOf = (lines: readonly Line[]): string[] => (lines.some(isChange) ? shortened(lines) : [ONLY_BLANKS]);

/** The line breaks at the ends of a chunk separate it from its neighbours. */
const withoutEnds = (text: string): string => text.replace(/^\n+|\n+$/gu, '');
const isShort = (text: string): boolean => text.length <= WHOLE_CHARS_MAX && !withoutEnds(text).includes('\n');

/**
 * The changes, for a person to read: old lines begin with `- `, new lines with `+ `. For a longer text, only the
 * changed sentences, with one before and one after them.
 */
export const diffOf = (before: string, after: string): string =>
  isShort(before) && isShort(after)
    ? `- ${withoutEnds(before)}\n+ ${withoutEnds(after)}`
    : changesOf(marked(before, after)).join('\n');
