import type { AnalysedSentence, AnalysedToken, SentenceName } from '../analysed-sentence.js';
import { datesIn, type WrittenDate } from './dates.js';
import { fold, STOP_LEMMAS } from './lexicon.js';

/** A word with content: not a name, a number, a date, or a stop word. */
export interface ContentWord {
  readonly lemma: string;
  readonly token: number;
}

export interface WrittenNumber {
  readonly text: string;
  readonly value: number | null;
  readonly unit: string | null;
  readonly isApproximate: boolean;
}

/** A sentence in the form that the rules compare. */
export interface SentenceFacts {
  readonly sentence: AnalysedSentence;
  readonly words: readonly ContentWord[];
  readonly lemmas: ReadonlySet<string>;
  readonly names: readonly SentenceName[];
  readonly numbers: readonly WrittenNumber[];
  readonly dates: readonly WrittenDate[];
  readonly isPast: boolean;
}

const CONTENT: ReadonlySet<AnalysedToken['pos']> = new Set(['ADJ', 'ADV', 'ADP', 'NOUN', 'PROPN', 'VERB', 'X', 'INTJ']);

const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, value) => [word, value]),
);

const APPROXIMATE =
  /(?:\b(?:at least|at most|up to|about|around|over|under|more than|less than|fewer than|nearly|almost|roughly|approximately)|[~<>≈])\s*[$€£]?$/i;

const PAST = /\b(?:was|were|had|did|used to|former|formerly|previously|until|ago|once)\b/i;

const covers = ({ from, to }: SentenceName, index: number): boolean => index >= from && index < to;

const isIn = (dates: readonly WrittenDate[], { start, end }: { start: number; end: number }): boolean =>
  dates.some((date) => start < date.end && end > date.start);

const numbersOf = (sentence: AnalysedSentence, dates: readonly WrittenDate[]): WrittenNumber[] =>
  sentence.numbers.flatMap(({ text, value, unit, token }) => {
    const at = sentence.tokens[token];
    if (!at) return [];
    const [start, end] = [at.start - sentence.start, at.end - sentence.start];
    if (isIn(dates, { start, end })) return [];
    const isApproximate = APPROXIMATE.test(sentence.text.slice(0, start).trimEnd());
    const known = value ?? NUMBER_WORDS.get(text.toLowerCase()) ?? null;
    return [{ text: text.toLowerCase(), value: known, unit: unit === null ? null : fold(unit), isApproximate }];
  });

/** A verb in the past, unless it is part of a passive: "was founded" is past, "is founded" is not. */
const isPastTense = ({ text, tokens }: AnalysedSentence): boolean =>
  PAST.test(text) ||
  tokens.some(
    ({ pos, text: word }, i) =>
      pos === 'VERB' && /ed$/i.test(word) && !/^(?:is|are|be|been|being)$/i.test(tokens[i - 1]?.text ?? ''),
  );

export const factsOf = (sentence: AnalysedSentence): SentenceFacts => {
  const dates = datesIn(sentence.text);
  const numberTokens = new Set(sentence.numbers.map(({ token }) => token));
  const words = sentence.tokens.flatMap(({ lemma, pos, start, end }, token) => {
    const own = { start: start - sentence.start, end: end - sentence.start };
    if (!CONTENT.has(pos) || STOP_LEMMAS.has(lemma) || numberTokens.has(token) || isIn(dates, own)) return [];
    if (sentence.names.some((name) => covers(name, token))) return [];
    return [{ lemma: fold(lemma), token }];
  });
  return {
    sentence,
    words,
    lemmas: new Set(words.map(({ lemma }) => lemma)),
    names: sentence.names.filter(
      ({ from, to }) =>
        !sentence.tokens
          .slice(from, to)
          .every((token) => isIn(dates, { start: token.start - sentence.start, end: token.end - sentence.start })),
    ),
    numbers: numbersOf(sentence, dates),
    dates,
    isPast: isPastTense(sentence),
  };
};
