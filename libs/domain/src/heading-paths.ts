import { headingsOf, type TextRange } from './markdown-pieces.js';

export interface Heading {
  /** 1 is the outermost. */
  readonly level: number;
  readonly words: string;
}

export interface HeadingPaths {
  /** For each text, the headings above its beginning, outermost first. A heading inside a text is not among them. */
  readonly paths: readonly (readonly string[])[];
  /** The headings that are open at the end, for texts that follow. */
  readonly open: readonly Heading[];
}

const ATX = /^ {0,3}(#{1,6})[ \t]*(.*?)(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}[=-]+$/;

/** A line that begins with `#`, or a paragraph above a line of `=` or `-`. */
const readHeading = (source: string): Heading => {
  const lines = source.trimEnd().split('\n');
  const atx = lines.length === 1 ? ATX.exec(lines[0]!.trimEnd()) : null;
  if (atx) return { level: atx[1]!.length, words: atx[2]!.trim() };
  const underline = lines.at(-1)!.trim();
  const isUnderlined = lines.length > 1 && UNDERLINE.test(underline);
  const words = (isUnderlined ? lines.slice(0, -1) : lines).map((line) => line.trim()).join(' ');
  return { level: underline.startsWith('=') ? 1 : 2, words };
};

const opened = (open: readonly Heading[], heading: Heading): Heading[] => [
  ...open.filter(({ level }) => level < heading.level),
  heading,
];

interface Placed extends Heading, TextRange {}

/** The headings above `start`. A heading right there closes those of its level and below, and is itself part of the text. */
const pathAt = (open: readonly Heading[], start: number, next: Placed | undefined, joined: string): string[] => {
  const isAtStart = next !== undefined && joined.slice(start, next.start).trim() === '';
  const above = isAtStart ? open.filter(({ level }) => level < next.level) : open;
  return above.map(({ words }) => words).filter((words) => words !== '');
};

/**
 * The path of Markdown headings above each of these texts, which are consecutive parts of one document. `open` holds the
 * headings of the parts before them.
 */
export const headingPaths = (texts: readonly string[], open: readonly Heading[] = []): HeadingPaths => {
  const joined = texts.join('');
  const headings = headingsOf(joined).map((range): Placed => ({
    ...range,
    ...readHeading(joined.slice(range.start, range.end)),
  }));
  let [start, now] = [0, open];
  const paths = texts.map((text) => {
    const isInText = ({ start: at }: TextRange): boolean => at >= start && at < start + text.length;
    const inText = headings.filter(isInText);
    const path = pathAt(now, start, inText[0], joined);
    now = inText.reduce<readonly Heading[]>(opened, now);
    start += text.length;
    return path;
  });
  return { paths, open: now };
};
