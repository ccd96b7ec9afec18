import { type PartOfSpeech } from '@cairn/graph';
import model from 'wink-eng-lite-web-model';
import winkNlp, { type ItemSentence, type ItemToken, type ItsFunction, type WinkMethods } from 'wink-nlp';

export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  readonly pos: PartOfSpeech;
  readonly start: number;
  readonly end: number;
  readonly isNegated: boolean;
}

/** The package declares these as methods, and its own `out` does not take all of them. */
interface Readers {
  readonly pos: ItsFunction<PartOfSpeech | 'SPACE'>;
  readonly lemma: ItsFunction<string>;
  readonly negationFlag: ItsFunction<boolean>;
}

/** Its only state is the language model, which is loaded with the first text: a process that reads none does not pay for it. */
let loaded: WinkMethods | undefined;
let lexicon: ReturnType<WinkMethods['readDoc']> | undefined;

const wink = (): WinkMethods => (loaded ??= winkNlp(model, ['sbd', 'negation', 'pos']));

/** True for an ordinary English word, in any of its forms. */
export const isEnglishWord = (lower: string): boolean => {
  lexicon ??= wink().readDoc('');
  return !lexicon.isOOV(lower);
};

const tokenOf = (item: ItemToken, original: string, start: number): Token => {
  const its = wink().its as unknown as Readers;
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
 * The sentences of a stretch of a text, as tokens with offsets in the whole text. `text` and `original` have the same
 * length; the tagger reads the first, the tokens show the second.
 */
export const tagSentences = (
  text: string,
  original: string,
  from: number,
  to: number,
): readonly (readonly Token[])[] => {
  // A line break inside a stretch is a margin, and the tagger would take it for a token.
  const part = text.slice(from, to).replace(/[\t\n\r]/gu, ' ');
  const sentences: Token[][] = [];
  let cursor = 0;
  wink()
    .readDoc(part)
    .sentences()
    .each((sentence: ItemSentence) => {
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
