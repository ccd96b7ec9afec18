/** Universal parts of speech (universaldependencies.org), to which every tagger can be mapped. */
export const PARTS_OF_SPEECH = [
  'ADJ',
  'ADP',
  'ADV',
  'AUX',
  'CCONJ',
  'DET',
  'INTJ',
  'NOUN',
  'NUM',
  'PART',
  'PRON',
  'PROPN',
  'PUNCT',
  'SCONJ',
  'SYM',
  'VERB',
  'X',
] as const;
export type PartOfSpeech = (typeof PARTS_OF_SPEECH)[number];

export interface AnalysedToken {
  readonly text: string;
  /** Lower case. For a name, the name's own word. */
  readonly lemma: string;
  readonly pos: PartOfSpeech;
  /** Offsets in the analysed text, not in the sentence. */
  readonly start: number;
  readonly end: number;
  /** Within the scope of "not", "never", "no longer" and similar words. The negating word itself is not included. */
  readonly isNegated: boolean;
}

/** A name in a sentence. `from` and `to` count tokens; `to` is the first token after it. */
export interface SentenceName {
  readonly name: string;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** A number as written: "1,200 users" is `{ value: 1200, unit: 'user' }`, "v2.4.1" has no value. */
export interface SentenceNumber {
  readonly text: string;
  /** Null for text that only looks like a number: versions, times, dates, paths. Compare these as text. */
  readonly value: number | null;
  /** The lemma of the noun, symbol or currency that the number counts. */
  readonly unit: string | null;
  readonly token: number;
}

/** A relation that a sentence states outright, by the names' keys. */
export interface SentenceEdge {
  readonly subjectKey: string;
  readonly predicate: string;
  readonly objectKey: string;
  readonly negated: boolean;
  /** False if the sentence only supposes it. */
  readonly isCertain: boolean;
}

/**
 * A sentence as input of the claim rules. The language model that fills it is on the other side of this type, so that
 * the rules stay pure.
 */
export interface AnalysedSentence {
  readonly text: string;
  /** Offset of the sentence in the analysed text. */
  readonly start: number;
  readonly tokens: readonly AnalysedToken[];
  readonly names: readonly SentenceName[];
  readonly numbers: readonly SentenceNumber[];
  readonly edges: readonly SentenceEdge[];
  /** "might", "perhaps", "I think", a condition, a plan, or a statement that is only quoted. */
  readonly isHedged: boolean;
  readonly isQuestion: boolean;
}
