import { entityKey } from '@cairn/graph';
import { isSupposed } from './certainty.js';
import { analyseChunk, type AnalysedUnits, type ChunkAnalysis } from './chunk-analysis.js';
import {
  FINDINGS_MAX,
  type ChunkToRead,
  type Findings,
  type FoundEdge,
  type FoundMention,
} from './findings-extractor.port.js';
import { type NameUnit } from './names.js';
import { CO_OCCURRENCE } from './predicates.js';
import { CONFIDENCE, HEDGE_FACTOR, SHORT_FORM_FACTOR, type Statement } from './statement.js';

const PAIRS_PER_SENTENCE_MAX = 6;
const MENTION_CONFIDENCE = { explicit: 0.95, words: 0.9, word: 0.7, doubtful: 0.5 } as const;

const rounded = (value: number): number => Math.round(value * 100) / 100;

type Keyed<T> = T & { readonly key: string };
type KeyedEdge = FoundEdge & { readonly subjectKey: string; readonly objectKey: string };

const mentionConfidence = (unit: NameUnit): number => {
  if (unit.mark?.isExplicit) return MENTION_CONFIDENCE.explicit;
  if (unit.isDoubtful) return MENTION_CONFIDENCE.doubtful;
  return unit.words > 1 ? MENTION_CONFIDENCE.words : MENTION_CONFIDENCE.word;
};

const factorOf = (unit: NameUnit, { resolve }: ChunkAnalysis): number => {
  const { isShortForm, isAmbiguous } = resolve(unit);
  if (isAmbiguous) return HEDGE_FACTOR;
  return isShortForm ? SHORT_FORM_FACTOR : 1;
};

const mentionOf = (unit: NameUnit, analysis: ChunkAnalysis, isInText: boolean): Keyed<FoundMention> => {
  const { name, key } = analysis.resolve(unit);
  const { type, confidence: typeConfidence } = analysis.typeOf(key);
  return {
    key,
    name,
    type,
    typeConfidence: rounded(typeConfidence),
    confidence: rounded(mentionConfidence(unit) * factorOf(unit, analysis)),
    start: isInText ? unit.start : null,
    end: isInText ? unit.end : null,
  };
};

const tagMention = (tag: string): readonly Keyed<FoundMention>[] => {
  const key = entityKey(tag);
  return key
    ? [
        {
          key,
          name: tag,
          type: 'topic',
          typeConfidence: 0.95,
          confidence: MENTION_CONFIDENCE.explicit,
          start: null,
          end: null,
        },
      ]
    : [];
};

/** Names in the title and tags count once, and only if the text does not contain them. */
const mentionsOf = (analysis: ChunkAnalysis, tags: readonly string[]): readonly Keyed<FoundMention>[] => {
  const inText = analysis.sentences.flatMap(({ names }) => names.map((unit) => mentionOf(unit, analysis, true)));
  const seen = new Set(inText.map(({ key }) => key));
  const others = [...analysis.titleNames.map((unit) => mentionOf(unit, analysis, false)), ...tags.flatMap(tagMention)];
  return [...others.filter(({ key }) => !seen.has(key) && seen.add(key)), ...inText];
};

/** First one mention of each name, then the repeats, as far as there is room. */
const withinLimit = (mentions: readonly Keyed<FoundMention>[]): readonly Keyed<FoundMention>[] => {
  const seen = new Set<string>();
  const isFirst = mentions.map(({ key }) => !seen.has(key) && seen.add(key) !== undefined);
  const order = [...mentions.keys()]
    .sort((a, b) => Number(isFirst[b]) - Number(isFirst[a]) || a - b)
    .slice(0, FINDINGS_MAX);
  return order.sort((a, b) => a - b).map((index) => mentions[index]!);
};

const edgeOf = (statement: Statement, analysis: ChunkAnalysis): KeyedEdge => {
  const [subject, object] = [analysis.resolve(statement.subject), analysis.resolve(statement.object)];
  const isAmbiguous = statement.isHedged || subject.isAmbiguous || object.isAmbiguous;
  const factor =
    factorOf(statement.subject, analysis) *
    factorOf(statement.object, analysis) *
    (statement.isHedged ? HEDGE_FACTOR : 1);
  return {
    subjectKey: subject.key,
    objectKey: object.key,
    subject: subject.name,
    predicate: statement.predicate,
    object: object.name,
    subjectType: analysis.typeOf(subject.key).type,
    objectType: analysis.typeOf(object.key).type,
    confidence: rounded(statement.confidence * factor),
    sourceKind: isAmbiguous ? 'ambiguous' : 'extracted',
    negated: statement.isNegated,
  };
};

/** The names of a sentence that have no other relation, in pairs. */
const coOccurrences = (
  { names, units }: AnalysedUnits,
  analysis: ChunkAnalysis,
  isRelated: (a: string, b: string) => boolean,
): readonly KeyedEdge[] => {
  const distinct = [...new Map(names.map((unit) => [analysis.resolve(unit).key, unit])).entries()].slice(
    0,
    PAIRS_PER_SENTENCE_MAX + 1,
  );
  const isHedged = isSupposed(units);
  const pairs = distinct.flatMap(([key, subject], index) =>
    distinct.slice(index + 1).flatMap(([otherKey, object]) => (isRelated(key, otherKey) ? [] : [{ subject, object }])),
  );
  return pairs
    .slice(0, PAIRS_PER_SENTENCE_MAX)
    .map(({ subject, object }) =>
      edgeOf(
        { subject, object, predicate: CO_OCCURRENCE, confidence: CONFIDENCE.coOccurrence, isHedged, isNegated: false },
        analysis,
      ),
    );
};

const idOf = ({ subjectKey, predicate, objectKey }: KeyedEdge): string => `${subjectKey}\n${predicate}\n${objectKey}`;

const isDenial = ({ negated, sourceKind }: KeyedEdge): boolean => negated && sourceKind === 'extracted';

/** What a text denies is not walked, however certainly the same text states it elsewhere: most often that was true before. */
const outranks = (edge: KeyedEdge, known: KeyedEdge): boolean =>
  isDenial(edge) === isDenial(known) ? edge.confidence > known.confidence : isDenial(edge);

/** Keeps one edge of each kind: a denial, else the more certain one, and of two equally certain ones the first. */
const distinctEdges = (edges: readonly KeyedEdge[]): readonly KeyedEdge[] => {
  const best = new Map<string, KeyedEdge>();
  for (const edge of edges) {
    const known = best.get(idOf(edge));
    if (!known || outranks(edge, known)) best.set(idOf(edge), edge);
  }
  return [...best.values()].filter(({ subjectKey, objectKey }) => subjectKey !== objectKey);
};

const edgesOf = (analysis: ChunkAnalysis): readonly KeyedEdge[] => {
  const stated = analysis.sentences.map(({ statements }) => statements.map((statement) => edgeOf(statement, analysis)));
  const related = new Set(
    stated
      .flat()
      .flatMap(({ subjectKey, objectKey }) => [`${subjectKey}\n${objectKey}`, `${objectKey}\n${subjectKey}`]),
  );
  const isRelated = (a: string, b: string): boolean => related.has(`${a}\n${b}`);
  const loose = analysis.isEnglish
    ? analysis.sentences.map((sentence) => coOccurrences(sentence, analysis, isRelated))
    : [];
  return distinctEdges([...stated.flat(), ...loose.flat()]);
};

const withoutKey = ({ key: _, ...mention }: Keyed<FoundMention>): FoundMention => mention;
const withoutKeys = ({ subjectKey: _, objectKey: __, ...edge }: KeyedEdge): FoundEdge => edge;

/** The findings of one chunk: a pure function of the chunk, its title and tags, and this code. */
export const extractFindings = (chunk: ChunkToRead): Findings => {
  const analysis = analyseChunk(chunk);
  const mentions = withinLimit(mentionsOf(analysis, chunk.tags));
  const keys = new Set(mentions.map(({ key }) => key));
  const edges = edgesOf(analysis).filter(({ subjectKey, objectKey }) => keys.has(subjectKey) && keys.has(objectKey));
  return { mentions: mentions.map(withoutKey), edges: edges.slice(0, FINDINGS_MAX).map(withoutKeys) };
};
