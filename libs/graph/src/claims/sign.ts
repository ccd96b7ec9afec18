import { areOpposite, DENYING_LEMMAS, fold, NEGATORS, NOUN_NEGATORS } from './lexicon.js';
import type { ContentWord, SentenceFacts } from './sentence-facts.js';

/** A comma and words like "but" end the scope of a negation. */
const CLAUSE_END = /^(?:[,;:.!?()]|but|however|although|though|because|while|whereas|so|and)$/i;

const LONGER = /^(?:longer|more)$/i;

/** Tokens up to the end of the clause that begins at `from`. */
const clauseFrom = ({ sentence: { tokens } }: SentenceFacts, from: number): [number, number] => {
  const length = tokens.slice(from).findIndex(({ text }) => CLAUSE_END.test(text));
  return [from, length < 0 ? tokens.length : from + length];
};

/**
 * Ranges of tokens that are denied: the scope of a negation extends to the end of its clause, that of "no" and
 * "without" to the noun.
 */
const deniedRanges = (facts: SentenceFacts): [number, number][] => {
  const { tokens } = facts.sentence;
  return tokens.flatMap(({ text, lemma }, i): [number, number][] => {
    const word = text.toLowerCase();
    const next = tokens[i + 1]?.text ?? '';
    if (NEGATORS.has(word) || NEGATORS.has(lemma) || (word === 'no' && LONGER.test(next))) {
      return [clauseFrom(facts, i + 1)];
    }
    if (!NOUN_NEGATORS.has(word)) return [];
    const [from, to] = clauseFrom(facts, i + 1);
    const noun = tokens.slice(from, to).findIndex(({ pos }) => pos === 'NOUN' || pos === 'PROPN');
    return [
      word === 'nobody' || word === 'none' || word === 'nothing' ? [from, to] : [from, noun < 0 ? to : from + noun + 1],
    ];
  });
};

const denials = (facts: SentenceFacts, shared: readonly ContentWord[]): number =>
  deniedRanges(facts).filter(([from, to]) => shared.some(({ token }) => token >= from && token < to)).length;

/**
 * Verbs such as "stop" and "cancel" that only one of the two has, and that are not the antonym of a word in the other.
 */
const denyingVerbs = (facts: SentenceFacts, other: SentenceFacts): number =>
  new Set(
    facts.words
      .map(({ lemma }) => lemma)
      .filter((lemma) => DENYING_LEMMAS.has(lemma) && !other.lemmas.has(lemma))
      .filter((lemma) => ![...other.lemmas].some((word) => areOpposite(word, lemma))),
  ).size;

const sharedWords = (facts: SentenceFacts, other: SentenceFacts): ContentWord[] =>
  facts.words.filter(
    ({ lemma }) => other.lemmas.has(lemma) || [...other.lemmas].some((word) => areOpposite(word, lemma)),
  );

const isOdd = (count: number): boolean => count % 2 === 1;

/** Whether one of the two denies the other's statement. */
export const polarityDiffers = (claim: SentenceFacts, sentence: SentenceFacts): boolean => {
  const of = (facts: SentenceFacts, other: SentenceFacts): number => {
    const shared = sharedWords(facts, other);
    // A sentence that consists of names ("Alice is not Bob") is denied as a whole.
    const denied = shared.length > 0 ? denials(facts, shared) : deniedRanges(facts).length;
    return denied + (shared.length > 0 || facts.names.length > 0 ? denyingVerbs(facts, other) : 0);
  };
  return isOdd(of(claim, sentence)) !== isOdd(of(sentence, claim));
};

/** Whether the sentence contains the antonym of a word of the claim. */
export const antonymDiffers = (claim: SentenceFacts, sentence: SentenceFacts): boolean => {
  const turned = claim.words.filter(
    ({ lemma }) => !sentence.lemmas.has(fold(lemma)) && [...sentence.lemmas].some((word) => areOpposite(lemma, word)),
  );
  return isOdd(turned.length);
};
