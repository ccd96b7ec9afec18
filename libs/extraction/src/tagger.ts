import { type PartOfSpeech } from '@cairn/graph';
import { type Document, type ItemSentence, type ItemToken, type ItsFunction } from 'wink-nlp';
import { LanguageModel } from './language-model.js';

export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  readonly pos: PartOfSpeech;
  readonly start: number;
  readonly end: number;
  readonly isNegated: boolean;
}

/** The package declares these as methods, and its own `out` does not accept all of them. */
interface Readers {
  readonly pos: ItsFunction<PartOfSpeech | 'SPACE'>;
  readonly lemma: ItsFunction<string>;
  readonly negationFlag: ItsFunction<boolean>;
}

/** Loaded with the first text, so that a process that reads none does not pay for it. */
let loaded: LanguageModel | undefined;
const model = (): LanguageModel => (loaded ??= new LanguageModel());

/** True for an ordinary English word, in any of its forms. */
export const isEnglishWord = (lower: string): boolean => model().isWord(lower);

const tokenOf = (item: ItemToken, original: string, start: number): Token => {
  const its = model().its as unknown as Readers;
  const value = item.out();
  const pos = item.out(its.pos) as PartOfSpeech | 'SPACE';
  return {
    text: original.slice(start, start + value.length),
    lower: value.toLowerCase(),
    lemma: item.out(its.lemma).toLowerCase(),
    pos: pos === 'SPACE' ? 'PUNCT' : pos,
    start,
    end: start + value.length,
    isNegated: item.out(its.negationFlag) as boolean,
  };
};

/**
 * The sentences of a segment of a text, as tokens with offsets in the whole text. `text` and `original` have the same
 * length; the tagger reads the first, the tokens show the second.
 */
export const tagSentences = (
  text: string,
  original: string,
  from: number,
  to: number,
): readonly (readonly Token[])[] => {
  // A line break inside a segment is wrapping, and the tagger would return it as a token.
  const part = text.slice(from, to).replace(/[\t\n\r]/gu, ' ');
  return model().read(part, (document) => sentencesOf(document, part, original, from));
};

const sentencesOf = (document: Document, part: string, original: string, from: number): Token[][] => {
  const sentences: Token[][] = [];
  let cursor = 0;
  document.sentences().each((sentence: ItemSentence) => {
    const tokens: Token[] = [];
    sentence.tokens().each((item: ItemToken) => {
      const at = part.indexOf(item.out(), cursor);
      if (at < 0) return;
      tokens.push(tokenOf(item, original, from + at));
      cursor = at + item.out().length;
    });
    if (tokens.length > 0) sentences.push(tokens);
  });
  return sentences;
};
