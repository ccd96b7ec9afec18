import { plainPieces, splitAfter, startingWith, type Piece } from './text-pieces.js';

const LINE = /[^\n]*\n|[^\n]+/g;
const BLANK_LINES = /(?:[ \t\r]*\n)*/y;
const PARAGRAPH_END = /\n\s*\n/g;

const ATX_HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
/** Two hyphens are enough for Markdown, but they also precede the signature of an email. */
const UNDERLINE = /^ {0,3}(?:=+|-{3,})$/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})$/;
/** List entries, quotes and table rows: a line below them is not an underline. */
const NO_PARAGRAPH = /^ {0,3}(?:[>|]|(?:[-+*]|\d{1,9}[.)])(?:\s|$))/;
const INDENTED_CODE = /^(?: {4}| {0,3}\t)/;

/**
 * Properties between lines of hyphens at the very beginning; otherwise the closing line would turn them into a heading.
 */
const FRONT_MATTER = /^---[ \t\r]*\n(?:(?!---[ \t\r]*\n)[^\S\n]*\S[^\n]*\n)*---[ \t\r]*(?:\n|$)/;

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const endOfBlankLines = (text: string, from: number): number => {
  BLANK_LINES.lastIndex = from;
  return from + (BLANK_LINES.exec(text)?.[0].length ?? 0);
};

/**
 * Markdown headings, with the blank lines below them: lines that begin with `#`, and underlined paragraphs. A fenced
 * code block has none: there, `#` begins a comment.
 */
export const headingsOf = (text: string): TextRange[] => {
  const headings: TextRange[] = [];
  const bodyStart = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  let fence: string | undefined;
  let paragraph: number | undefined;
  // Inside a list, a quote or a table, up to the next blank line: text that looks like a paragraph there is part of it.
  let isListed = false;
  for (const { 0: line, index } of text.slice(bodyStart).matchAll(LINE)) {
    const [bare, start] = [line.trimEnd(), bodyStart + index];
    const opened = FENCE.exec(bare)?.[1];
    const isUnderline = paragraph !== undefined && UNDERLINE.test(bare);
    if (fence !== undefined) {
      if (FENCE_END.exec(bare)?.[1]?.startsWith(fence)) fence = undefined;
    } else if (opened !== undefined) {
      [fence, paragraph, isListed] = [opened, undefined, false];
    } else if (isUnderline || ATX_HEADING.test(bare)) {
      const end = endOfBlankLines(text, start + line.length);
      headings.push({ start: isUnderline ? paragraph! : start, end });
      [paragraph, isListed] = [undefined, false];
    } else if (bare === '') {
      [paragraph, isListed] = [undefined, false];
    } else if (isListed || NO_PARAGRAPH.test(bare)) {
      [paragraph, isListed] = [undefined, true];
    } else if (paragraph === undefined && !INDENTED_CODE.test(bare)) {
      paragraph = start;
    }
  }
  return headings;
};

const paragraphPieces = (text: string): Piece[] =>
  splitAfter(text, PARAGRAPH_END).flatMap((paragraph) => plainPieces(paragraph));

/** Cuts a text at its headings and paragraphs, and more finely where one of them is too long. */
export const markdownPieces = (text: string): Piece[] => {
  const headings = headingsOf(text);
  const ends = [0, ...headings.map(({ end }) => end)];
  return ends.flatMap((from, i) => {
    const next = headings[i];
    const body = paragraphPieces(text.slice(from, next?.start));
    return next ? [...body, ...startingWith('heading', plainPieces(text.slice(next.start, next.end)))] : body;
  });
};
