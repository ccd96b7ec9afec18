import { HOLLOW_TOKENS_MAX, sentencesOf, type Retention, type TextFormat } from '@cairn/contracts';
import { countTokens } from '@cairn/domain';
import type { SourceEntry } from './connector.js';

const HEADING = /^#{1,6}\s+(.+)$/;
const HEADINGS_MAX = 12;
/** Sentences that are tried; a long text makes its point at the beginning. */
const SENTENCES_MAX = 40;

const headingsOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => HEADING.exec(line.trim())?.[1] ?? [])
    .slice(0, HEADINGS_MAX);

const bodySentences = (text: string): string[] => {
  const prose = text
    .split('\n')
    .filter((line) => !HEADING.test(line.trim()))
    .join('\n');
  return sentencesOf(prose)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, SENTENCES_MAX);
};

/** Appends parts as long as the whole stays within the bound. */
const fitting = (start: string, parts: readonly string[], separator: string): string => {
  let kept = start;
  for (const part of parts) {
    const longer = `${kept}${separator}${part}`;
    if (countTokens(longer) > HOLLOW_TOKENS_MAX) break;
    kept = longer;
  }
  return kept;
};

const cutTitle = (title: string): string => {
  let cut = title;
  while (countTokens(cut) > HOLLOW_TOKENS_MAX) cut = cut.slice(0, Math.floor(cut.length / 2));
  return cut;
};

/**
 * Replaces a text that is not stored: title, headings and first sentences. The same text always gives the same summary.
 */
export const hollowSummary = (title: string, text: string): string => {
  const headings = headingsOf(text).map((heading) => `- ${heading}`);
  const head = fitting(cutTitle(title), headings, '\n');
  return fitting(head, bodySentences(text), '\n\n');
};

const factsOf = ({ title, facts }: SourceEntry): string =>
  [title, ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`)].join('\n');

interface TitledText {
  readonly title: string;
  readonly text: string;
  /** The format of the file, if the stored text is the whole file. */
  readonly format?: TextFormat;
}

const DARK: TitledText = { title: 'A document at its source', text: 'This document is kept at its source.' };

/** The part of a document that is stored under a retention; `body` is not called when none of it is kept. */
export const keptText = async (
  retention: Retention,
  entry: SourceEntry,
  body: () => Promise<TitledText>,
): Promise<TitledText> => {
  if (retention === 'metadata') return { title: entry.title, text: factsOf(entry) };
  if (retention === 'dark') return DARK;
  const read = await body();
  return retention === 'full' ? read : { title: read.title, text: hollowSummary(read.title, read.text) };
};
