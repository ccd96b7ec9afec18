import type { AnalysedSentence } from '../analysed-sentence.js';
import { coverageOf, isStatement, sharesPredicate, type SameName } from './coverage.js';
import { factsOf, type SentenceFacts } from './sentence-facts.js';
import { antonymDiffers, polarityDiffers } from './sign.js';
import { numberSlots, otherObjects, rolesDiffer } from './slots.js';

export const CLAIM_REASONS = ['coverage', 'polarity', 'antonym', 'number', 'roles', 'object'] as const;
export type ClaimReason = (typeof CLAIM_REASONS)[number];

export type Stance = 'corroborates' | 'contradicts' | 'neutral';

export interface Judgement {
  readonly stance: Stance;
  /** Coverage, two decimals. */
  readonly score: number;
  /** The rules that decided; only `coverage` if the sentence states what the claim states. */
  readonly reasons: readonly ClaimReason[];
}

export const VERDICTS = ['corroborated', 'contradicted', 'mixed', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A text counts as considered from this coverage on; its stance counts from the second bound on. */
const CONSIDERED_MIN = 0.35;
const RELEVANT_MIN = 0.6;

const hundredths = (share: number): number => Math.round(share * 100) / 100;

const stanceOf = (
  claim: SentenceFacts,
  sentence: SentenceFacts,
  sameName: SameName,
  objectDiffers: boolean,
): Omit<Judgement, 'score'> => {
  const signs: ClaimReason[] = [
    ...(polarityDiffers(claim, sentence) ? (['polarity'] as const) : []),
    ...(antonymDiffers(claim, sentence) ? (['antonym'] as const) : []),
  ];
  const numbers = numberSlots(claim, sentence);
  const details: ClaimReason[] = [
    ...(numbers === 'different' ? (['number'] as const) : []),
    ...(rolesDiffer(claim, sentence, sameName) ? (['roles'] as const) : []),
    ...(objectDiffers ? (['object'] as const) : []),
  ];
  const signDiffers = signs.length % 2 === 1;
  if (signDiffers && details.length > 0) return { stance: 'neutral', reasons: [...signs, ...details] };
  if (signDiffers || details.length > 0) return { stance: 'contradicts', reasons: [...signs, ...details] };
  // A detail that the sentence does not state is neither confirmed nor denied.
  if (numbers === 'open') return { stance: 'neutral', reasons: ['number'] };
  return { stance: 'corroborates', reasons: ['coverage', ...signs] };
};

const judge = (claim: SentenceFacts, text: AnalysedSentence, sameName: SameName): Judgement => {
  const sentence = factsOf(text);
  const others = otherObjects(claim, sentence, sameName);
  const { share, missing } = coverageOf(claim, sentence, sameName, others);
  const score = hundredths(share);
  const isStated = isStatement(claim) && !text.isHedged && !text.isQuestion && sharesPredicate(claim, sentence);
  if (share < RELEVANT_MIN || missing.length > 0 || !isStated) return { stance: 'neutral', score, reasons: [] };
  return { ...stanceOf(claim, sentence, sameName, others.size > 0), score };
};

export interface JudgedText<T> {
  readonly text: T;
  readonly sentence: AnalysedSentence;
  readonly judgement: Judgement;
}

export interface ClaimEvidence<T> {
  readonly verdict: Verdict;
  readonly corroborating: readonly JudgedText<T>[];
  readonly contradicting: readonly JudgedText<T>[];
  /** How many of the texts are about the subject of the claim. */
  readonly considered: number;
  readonly neutral: number;
}

const verdictOf = (supports: boolean, contradicts: boolean): Verdict => {
  if (supports && contradicts) return 'mixed';
  if (supports) return 'corroborated';
  return contradicts ? 'contradicted' : 'inconclusive';
};

const isTaken = ({ stance }: Judgement): number => (stance === 'neutral' ? 0 : 1);

/** The sentence of a text that covers the claim best; one that takes a side comes before one that does not. */
const bestOf = (judged: readonly (readonly [AnalysedSentence, Judgement])[]) =>
  [...judged].sort(([, a], [, b]) => isTaken(b) - isTaken(a) || b.score - a.score)[0];

/**
 * Weighs texts for and against a claim by rules alone: the same texts give the same verdict. Rules recognise only what
 * is stated outright; a paraphrase without common words stays inconclusive.
 */
export const verifyClaim = <T extends { readonly sentences: readonly AnalysedSentence[] }>(
  claim: AnalysedSentence,
  texts: readonly T[],
  sameName: SameName = () => false,
): ClaimEvidence<T> => {
  const facts = factsOf(claim);
  const judged = texts.flatMap((text): JudgedText<T>[] => {
    const best = bestOf(text.sentences.map((sentence) => [sentence, judge(facts, sentence, sameName)] as const));
    return best && best[1].score >= CONSIDERED_MIN ? [{ text, sentence: best[0], judgement: best[1] }] : [];
  });
  const of = (stance: Stance) =>
    judged.filter(({ judgement }) => judgement.stance === stance).sort((a, b) => b.judgement.score - a.judgement.score);
  const [corroborating, contradicting] = [of('corroborates'), of('contradicts')];
  return {
    verdict: verdictOf(corroborating.length > 0, contradicting.length > 0),
    corroborating,
    contradicting,
    considered: judged.length,
    neutral: judged.length - corroborating.length - contradicting.length,
  };
};
