import { OPINION_VERBS, SENTENCE_HEDGES, SPEECH_VERBS } from './lexicon.js';
import { lemmaAt, lowerAt, posAt, type Row } from './unit-row.js';

const QUOTES: ReadonlySet<string> = new Set(['"', '“', '”', '„', '«', '»']);

const places = (row: Row): readonly number[] => row.map((_, at) => at);

export const isQuestion = (row: Row): boolean =>
  places(row)
    .slice(-3)
    .some((at) => lowerAt(row, at).includes('?'));

/** A sentence that supposes, asks, or repeats a rumour: nothing in it is certain. */
export const isSupposed = (row: Row): boolean =>
  isQuestion(row) ||
  places(row).some(
    (at) =>
      SENTENCE_HEDGES.has(lowerAt(row, at)) || (lowerAt(row, at) === 'according' && lowerAt(row, at + 1) === 'to'),
  );

const isOpinion = (row: Row, at: number): boolean => posAt(row, at) === 'VERB' && OPINION_VERBS.has(lemmaAt(row, at));

const isReport = (row: Row, at: number): boolean => posAt(row, at) === 'VERB' && SPEECH_VERBS.has(lemmaAt(row, at));

const isQuoted = (row: Row, at: number): boolean => {
  const marks = places(row).filter((place) => QUOTES.has(lowerAt(row, place)));
  return marks.length > 1 && marks.filter((place) => place < at).length % 2 === 1;
};

/** Whether the statement of the verb at this place is only an opinion, a report or a quotation. */
export const isSecondHand = (row: Row, verb: number): boolean =>
  isQuoted(row, verb) || places(row).some((at) => at < verb && (isOpinion(row, at) || isReport(row, at)));
