import { antecedentOf, objectsFrom, subjectsOf, type Argument } from './arguments.js';
import { isSecondHand, isSupposed } from './certainty.js';
import { type NameUnit } from './names.js';
import { PATTERN_FORMS } from './pattern-forms.js';
import { PAIR_PATTERNS, VERB_PATTERNS, type PairPattern, type VerbPattern } from './predicates.js';
import { CONFIDENCE, type Statement } from './statement.js';
import { lowerAt, nameEndingAt, posAt, wordAt, type Row } from './unit-row.js';
import { type VerbForm } from './verb-forms.js';
import { verbGroupBefore, type VerbGroup } from './verb-group.js';

const GAP_MAX = 6;
const POSSESSIVES: ReadonlySet<string> = new Set(['its', 'their', 'his', 'her']);

const byLemma = <T extends { readonly verbs: readonly string[] }>(
  patterns: readonly T[],
): ReadonlyMap<string, readonly T[]> => {
  const map = new Map<string, T[]>();
  for (const pattern of patterns) for (const verb of pattern.verbs) map.set(verb, [...(map.get(verb) ?? []), pattern]);
  return map;
};
const VERBS = byLemma(VERB_PATTERNS);
const PAIRS = byLemma(PAIR_PATTERNS);

/** Both ends of a relation around one verb, in the order of the predicate. */
interface Ends {
  readonly subjects: readonly NameUnit[];
  readonly objects: readonly Argument[];
}

const wordsMatch = (row: Row, at: number, words: readonly string[]): boolean =>
  words.every((word, index) => {
    const lower = lowerAt(row, at + index);
    return lower === word || (word === 'its' && POSSESSIVES.has(lower));
  });

/** The place after a preposition of the pattern, or -1. */
const afterPreposition = (row: Row, verb: number, { prepositions = [], hasGap }: VerbPattern): number => {
  for (let at = verb + 1; at <= verb + 1 + GAP_MAX; at++) {
    const found = prepositions.map((words) => words.split(' ')).find((words) => wordsMatch(row, at, words));
    if (found) return at + found.length;
    const isAdverb = posAt(row, at) === 'ADV';
    if (!isAdverb && !(hasGap && ['DET', 'ADJ', 'NOUN', 'ADP', 'NUM', 'PRON', 'SYM'].includes(posAt(row, at))))
      return -1;
  }
  return -1;
};

const isPassive = (row: Row, verb: number, form: VerbForm, group: VerbGroup): boolean =>
  form.kinds.includes('participle') && (group.hasBe || lowerAt(row, verb + 1) === 'by');

/**
 * "Ledgerline, written by Sam": a participle after a comma describes the name before it, unless that name follows an
 * "of".
 */
const reducedSubject = (row: Row, verb: number, { before, hasBe }: VerbGroup): readonly NameUnit[] => {
  if (hasBe || lowerAt(row, before) !== ',') return subjectsOf(row, verb);
  const name = nameEndingAt(row, before - 1);
  return !name || posAt(row, name.at - 1) === 'ADP' ? [] : [name.name];
};

const asArguments = (names: readonly NameUnit[]): readonly Argument[] =>
  names.map((name) => ({ name, isLoose: false }));
const asNames = (objects: readonly Argument[]): readonly NameUnit[] =>
  objects.filter(({ isLoose }) => !isLoose).map(({ name }) => name);

const passiveEnds = (row: Row, verb: number, group: VerbGroup): Ends => {
  let by = verb + 1;
  // "was founded in 2011 by": time and place may come in between.
  while (
    by <= verb + GAP_MAX &&
    lowerAt(row, by) !== 'by' &&
    ['ADV', 'ADP', 'NUM', 'DET', 'NOUN', 'PROPN'].includes(posAt(row, by))
  )
    by++;
  if (lowerAt(row, by) !== 'by') return { subjects: [], objects: [] };
  return { subjects: asNames(objectsFrom(row, by + 1)), objects: asArguments(reducedSubject(row, verb, group)) };
};

const activeEnds = (row: Row, verb: number, pattern: VerbPattern): Ends => {
  const from = pattern.prepositions ? afterPreposition(row, verb, pattern) : verb + 1;
  if (from < 0) return { subjects: [], objects: [] };
  const subjects = subjectsOf(row, verb);
  // "wrote in OCaml" has no object of its own.
  const isBare = !pattern.prepositions && posAt(row, from) === 'ADP';
  const objects = isBare ? [] : objectsFrom(row, from);
  const canBeRelative = objects.length === 0 && !pattern.prepositions && subjects[0] !== undefined;
  const antecedent = canBeRelative ? antecedentOf(row, subjects[0]!) : undefined;
  return { subjects, objects: antecedent ? asArguments([antecedent]) : objects };
};

const stateEnds = (row: Row, verb: number, pattern: VerbPattern, group: VerbGroup): Ends => {
  const from = afterPreposition(row, verb, pattern);
  return from < 0
    ? { subjects: [], objects: [] }
    : { subjects: reducedSubject(row, verb, group), objects: objectsFrom(row, from) };
};

const endsOf = (row: Row, verb: number, pattern: VerbPattern, form: VerbForm): Ends => {
  const group = verbGroupBefore(row, verb);
  if (pattern.isState)
    return form.kinds.includes('participle') ? stateEnds(row, verb, pattern, group) : { subjects: [], objects: [] };
  if (!isPassive(row, verb, form, group)) return activeEnds(row, verb, pattern);
  return pattern.prepositions ? { subjects: [], objects: [] } : passiveEnds(row, verb, group);
};

type Certainty = Pick<Statement, 'isHedged' | 'isNegated'>;

/** "used to work at": the relation has ended. */
const isFormer = (row: Row, verb: number): boolean =>
  lowerAt(row, verb - 1) === 'to' && lowerAt(row, verb - 2) === 'used';

/** "is moving to Porto" is a plan, "is working at Velora" is not. */
const isPlan = (row: Row, verb: number, pattern: VerbPattern | undefined): boolean =>
  pattern?.isEvent === true && lowerAt(row, verb).endsWith('ing') && verbGroupBefore(row, verb).hasBe;

const certaintyOf = (row: Row, verb: number, pattern?: VerbPattern): Certainty => {
  const { isHedged, isNegated } = verbGroupBefore(row, verb);
  const isNeither = row.some((_, at) => at < verb && ['neither', 'nor'].includes(lowerAt(row, at)));
  return {
    isNegated: isNegated || isNeither || isFormer(row, verb),
    isHedged: isHedged || isPlan(row, verb, pattern) || isSupposed(row) || isSecondHand(row, verb),
  };
};

const statementsOf = ({ subjects, objects }: Ends, pattern: VerbPattern, certainty: Certainty): readonly Statement[] =>
  subjects.flatMap((subject) =>
    objects.map(({ name, isLoose }) => ({
      ...(pattern.isInverse ? { subject: name, object: subject } : { subject, object: name }),
      predicate: pattern.predicate,
      subjectType: pattern.subject,
      objectType: pattern.object,
      isWeakHint: pattern.isWeakHint === true,
      confidence: isLoose ? CONFIDENCE.loose : CONFIDENCE.verb,
      ...certainty,
    })),
  );

const pairStatements = (row: Row, verb: number, pattern: PairPattern): readonly Statement[] => {
  const from = pattern.first === '' ? verb + 1 : lowerAt(row, verb + 1) === pattern.first ? verb + 2 : -1;
  const [first] = from < 0 ? [] : objectsFrom(row, from);
  if (!first) return [];
  const link = row.findIndex(
    (_, at) => at > verb && lowerAt(row, at) === pattern.second && (wordAt(row, at)?.at ?? 0) >= first.name.to,
  );
  const isNear = link > 0 && (wordAt(row, link)?.at ?? 0) - first.name.to <= 2;
  const [second] = isNear ? objectsFrom(row, link + 1) : [];
  if (!second) return [];
  const certainty = certaintyOf(row, verb);
  const confidence = first.isLoose || second.isLoose ? CONFIDENCE.loose : CONFIDENCE.verb;
  const pair: Statement = {
    subject: first.name,
    predicate: pattern.predicate,
    object: second.name,
    confidence,
    ...certainty,
  };
  const users = pattern.subjectPredicate ? subjectsOf(row, verb) : [];
  return [pair, ...users.map((subject) => ({ ...pair, subject, predicate: pattern.subjectPredicate! }))];
};

/** The statements of the verb at this place, by the first pattern that fits. */
const statementsAt = (row: Row, verb: number): readonly Statement[] => {
  const form = PATTERN_FORMS.get(lowerAt(row, verb));
  if (!form) return [];
  for (const pattern of PAIRS.get(form.lemma) ?? []) {
    const found = pairStatements(row, verb, pattern);
    if (found.length > 0) return found;
  }
  for (const pattern of VERBS.get(form.lemma) ?? []) {
    const found = statementsOf(endsOf(row, verb, pattern, form), pattern, certaintyOf(row, verb, pattern));
    if (found.length > 0) return found;
  }
  return [];
};

/** Relations that the verbs of the sentence state. */
export const verbStatements = (row: Row): readonly Statement[] => row.flatMap((_, at) => statementsAt(row, at));
