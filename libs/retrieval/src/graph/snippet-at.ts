import { cutAtWord, sentencesOf } from '@cairn/contracts';

interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const placed = (text: string): Sentence[] => {
  let start = 0;
  return sentencesOf(text).map((sentence) => {
    const at = { text: sentence.trim(), start, end: start + sentence.length };
    start = at.end;
    return at;
  });
};

/** The sentence at an offset of a text, cut at a word if it is long. */
export const snippetAt = (text: string, at: number, max: number): string => {
  const sentence = placed(text).find(({ start, end }) => at >= start && at < end);
  return cutAtWord(sentence?.text ?? text.trim(), max);
};

/** The first sentence that contains all of the words, or else the first that contains one of them. */
export const sentenceWith = (text: string, holds: readonly ((sentence: string) => boolean)[], max: number): string => {
  const sentences = placed(text).map((sentence) => sentence.text);
  const best =
    sentences.find((one) => holds.every((test) => test(one))) ??
    sentences.find((one) => holds.some((test) => test(one)));
  return cutAtWord(best ?? sentences[0] ?? '', max);
};
