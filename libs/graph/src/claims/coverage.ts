import type { PartOfSpeech } from '../analysed-sentence.js';
import { areOpposite } from './lexicon.js';
import type { SentenceFacts } from './sentence-facts.js';

/** Whether two keys name the same entity for the reader, for example after a merge by a person. */
export type SameName = (one: string, other: string) => boolean;

const NAME_WEIGHT = 2;

/** "Alice" next to "Alice Chen". */
const isPartOf = (short: string, long: string): boolean => {
  const words = new Set(long.split(' '));
  return short.split(' ').every((word) => words.has(word));
};

/**
 * A common word at the beginning of a claim may be mistaken for a name, so a word of the sentence with the same
 * spelling counts.
 */
const hasToken = ({ sentence }: SentenceFacts, key: string): boolean =>
  sentence.tokens.some(({ text, lemma }) => text.toLowerCase() === key || lemma === key);

export const hasName = (facts: SentenceFacts, key: string, sameName: SameName): boolean =>
  hasToken(facts, key) ||
  facts.names.some(
    ({ key: other }) => other === key || sameName(key, other) || isPartOf(other, key) || isPartOf(key, other),
  );

const hasWord = ({ lemmas }: SentenceFacts, lemma: string): boolean =>
  lemmas.has(lemma) || [...lemmas].some((other) => areOpposite(lemma, other));

export interface Coverage {
  /** The share of the claim's subjects that the sentence mentions too, 0 to 1. Names count double. */
  readonly share: number;
  /** Names of the claim that the sentence does not contain. */
  readonly missing: readonly string[];
}

/** `without`: keys of names to ignore. */
export const coverageOf = (
  claim: SentenceFacts,
  sentence: SentenceFacts,
  sameName: SameName,
  without: ReadonlySet<string> = new Set(),
): Coverage => {
  const names = [...new Set(claim.names.map(({ key }) => key))].filter((key) => !without.has(key));
  const missing = names.filter((key) => !hasName(sentence, key, sameName));
  const words = [...claim.lemmas];
  const covered = words.filter((lemma) => hasWord(sentence, lemma)).length;
  const all = names.length * NAME_WEIGHT + words.length;
  const share = all === 0 ? 0 : ((names.length - missing.length) * NAME_WEIGHT + covered) / all;
  return { share, missing };
};

const PREDICATES: ReadonlySet<PartOfSpeech> = new Set(['VERB', 'ADJ', 'AUX']);
/** A subject, a verb and an object: a verb that was read as a noun may be among so many words. */
const STATEMENT_PARTS_MIN = 3;

/**
 * Whether the claim says something about its subject. A name or a noun alone says nothing: every sentence that contains
 * it would corroborate it.
 */
export const isStatement = ({ sentence, names, words, numbers, dates }: SentenceFacts): boolean =>
  sentence.edges.length + numbers.length + dates.length > 0 ||
  sentence.tokens.some(
    ({ pos }, i) => PREDICATES.has(pos) && !sentence.names.some(({ from, to }) => i >= from && i < to),
  ) ||
  (words.length > 0 && names.length + words.length >= STATEMENT_PARTS_MIN);

/**
 * Whether the sentence makes the same kind of statement as the claim: it has one of its verbs or adjectives, or the
 * same relation. Names alone are not enough: one person may lead a project and another person a similar one.
 */
export const sharesPredicate = (claim: SentenceFacts, sentence: SentenceFacts): boolean => {
  const { tokens, edges } = claim.sentence;
  const predicates = claim.words.filter(({ token }) => PREDICATES.has(tokens[token]!.pos));
  const words = predicates.length > 0 ? predicates : claim.words;
  if (words.length === 0 || words.some(({ lemma }) => hasWord(sentence, lemma))) return true;
  return edges.some(({ predicate }) => sentence.sentence.edges.some((edge) => edge.predicate === predicate));
};
