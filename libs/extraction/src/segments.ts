import { KEY_PATTERNS } from './predicates.js';

export const SEGMENT_KINDS = ['prose', 'heading', 'bullet', 'key'] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** A stretch of a text whose sentences belong together: a paragraph, a heading, an entry of a list, a `Key: value` line. */
export interface Segment {
  readonly kind: SegmentKind;
  readonly start: number;
  readonly end: number;
  /** For a `Key: value` line, in lower case. */
  readonly key?: string;
}

const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+/u;
const BULLET = /^[ \t]{0,16}(?:[-*+•–]|\d{1,3}[.)]|>)[ \t]+(?:\[[ xX]?\][ \t]+)?/u;
const KEY = /^[ \t]{0,8}(?:[-*+][ \t]+)?(?:\*\*)?([\p{L}][\p{L} _/-]{1,30}?)(?:\*\*)?:(?:\*\*)?[ \t]+(?=\S)/u;
const SENTENCE_END = /[.!?:;|][)"”*_ \t]*$/u;

/** Other words before a colon name a speaker, or are prose: "Mei: the screens are done". */
const KNOWN_KEYS: ReadonlySet<string> = new Set(KEY_PATTERNS.flatMap(({ keys }) => keys));

/** A shorter line was ended by its writer, not by line wrapping. */
const WRAPPED_CHARS_MIN = 60;

interface Line {
  readonly start: number;
  readonly text: string;
}

const linesOf = (text: string): Line[] => {
  let start = 0;
  return text.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return { start: at, text: line };
  });
};

const segmentOf = ({ start, text }: Line): Segment => {
  const end = start + text.length;
  const heading = HEADING.exec(text);
  if (heading) return { kind: 'heading', start: start + heading[0].length, end };
  const key = KEY.exec(text);
  if (key && KNOWN_KEYS.has(key[1]!.toLowerCase().trim()))
    return { kind: 'key', start: start + key[0].length, end, key: key[1]!.toLowerCase().trim() };
  const bullet = BULLET.exec(text);
  if (bullet) return { kind: 'bullet', start: start + bullet[0].length, end };
  return { kind: 'prose', start, end };
};

const continues = (previous: Line | undefined, line: Line): boolean =>
  previous !== undefined &&
  previous.text.length >= WRAPPED_CHARS_MIN &&
  !SENTENCE_END.test(previous.text) &&
  segmentOf(line).kind === 'prose';

/** Wrapped lines form one segment; empty lines separate segments. */
export const segmentsOf = (text: string): readonly Segment[] => {
  const segments: Segment[] = [];
  let previous: Line | undefined;
  for (const line of linesOf(text)) {
    const isBlank = line.text.trim() === '';
    const last = segments.at(-1);
    if (!isBlank && last && last.kind !== 'heading' && continues(previous, line))
      segments[segments.length - 1] = { ...last, end: line.start + line.text.length };
    else if (!isBlank) segments.push(segmentOf(line));
    previous = isBlank ? undefined : line;
  }
  return segments;
};
