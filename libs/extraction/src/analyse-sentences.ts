import { type AnalysedSentence, type AnalysedToken, type SentenceEdge, type SentenceName } from '@cairn/graph';
import { isQuestion, isSecondHand, isSupposed } from './certainty.js';
import { analyseChunk, type AnalysedUnits, type ChunkAnalysis } from './chunk-analysis.js';
import { PATTERN_FORMS } from './pattern-forms.js';
import { numbersOf } from './sentence-numbers.js';
import { type Token } from './tagger.js';
import { posAt } from './unit-row.js';

/** "will" and "can" are not included: a plan and an ability are statements, too. */
const DOUBTS: ReadonlySet<string> = new Set(['might', 'may', 'could', 'would', 'should']);
const PRONOUNS: ReadonlySet<string> = new Set(['i', 'we', 'you', 'he', 'she', 'it', 'they', 'who', 'which']);

/** After a subject, "lives" and "reports" are verbs, whatever the tagger reports. */
const isVerbHere = (tokens: readonly Token[], at: number, nameEnds: ReadonlySet<number>): boolean =>
  tokens[at]!.pos === 'NOUN' &&
  PATTERN_FORMS.has(tokens[at]!.lower) &&
  (nameEnds.has(at) || PRONOUNS.has(tokens[at - 1]?.lower ?? ''));

const tokensOf = ({ tokens, names }: AnalysedUnits): readonly AnalysedToken[] => {
  const nameEnds = new Set(names.map(({ to }) => to));
  return tokens.map(({ text, lower, lemma, pos, start, end, isNegated }, at) => {
    const isVerb = isVerbHere(tokens, at, nameEnds);
    return {
      text,
      lemma: isVerb ? PATTERN_FORMS.get(lower)!.lemma : lemma,
      pos: isVerb ? 'VERB' : pos,
      start,
      end,
      isNegated: isNegated && !(lower === 'longer' && tokens[at - 1]?.lower === 'no'),
    };
  });
};

const namesOf = ({ names }: AnalysedUnits, { resolve }: ChunkAnalysis): readonly SentenceName[] =>
  names.map((unit) => {
    const { name, key } = resolve(unit);
    return { name, key, from: unit.from, to: unit.to };
  });

const edgesOf = ({ statements }: AnalysedUnits, { resolve }: ChunkAnalysis): readonly SentenceEdge[] =>
  statements.map(({ subject, predicate, object, isNegated, isHedged }) => ({
    subjectKey: resolve(subject).key,
    predicate,
    objectKey: resolve(object).key,
    negated: isNegated,
    isCertain: !isHedged && !resolve(subject).isAmbiguous && !resolve(object).isAmbiguous,
  }));

const isHedged = ({ units, tokens }: AnalysedUnits): boolean =>
  (isSupposed(units) && !isQuestion(units)) ||
  tokens.some(({ lower, pos }) => pos === 'AUX' && DOUBTS.has(lower)) ||
  units.some((_, at) => ['VERB', 'AUX'].includes(posAt(units, at)) && isSecondHand(units, at));

/** Splits a text into sentences for the claim rules. Pure, and bounded like the extraction. */
export const analyseSentences = (text: string): readonly AnalysedSentence[] => {
  const analysis = analyseChunk({ title: null, text });
  return analysis.sentences.map((sentence) => {
    const [first, last] = [sentence.tokens[0]!, sentence.tokens.at(-1)!];
    return {
      text: text.slice(first.start, last.end),
      start: first.start,
      tokens: tokensOf(sentence),
      names: namesOf(sentence, analysis),
      numbers: numbersOf(sentence.tokens),
      edges: edgesOf(sentence, analysis),
      isHedged: isHedged(sentence),
      isQuestion: isQuestion(sentence.units),
    };
  });
};
