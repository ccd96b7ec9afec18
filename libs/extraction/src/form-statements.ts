import { entityKey, SAME_AS } from '@cairn/graph';
import { type NameUnit } from './names.js';
import { KEY_PATTERNS, type KeyPattern } from './predicates.js';
import { type ReadSentence } from './reading.js';
import { CONFIDENCE, type Statement } from './statement.js';
import { lowerAt, nameAt, nameEndingAt, posAt, type Row } from './unit-row.js';

const BY_KEY: ReadonlyMap<string, KeyPattern> = new Map(
  KEY_PATTERNS.flatMap((pattern) => pattern.keys.map((key) => [key, pattern] as const)),
);
const SURE = { isHedged: false, isNegated: false };

const initialsOf = (name: string): string =>
  name
    .split(/[\s-]+/u)
    .filter((word) => /^\p{Lu}/u.test(word))
    .map((word) => word[0]!)
    .join('');

/** "Nordic Data Institute (NDI)", "Alice Chen (Meridian Labs)". The second is an affiliation if the types allow it. */
const inParentheses = (row: Row): readonly Statement[] =>
  row.flatMap((_, at) => {
    const inside = lowerAt(row, at) === '(' && lowerAt(row, at + 2) === ')' ? nameAt(row, at + 1) : undefined;
    const before = inside && nameEndingAt(row, at - 1);
    if (!inside || !before) return [];
    const isShort = before.name.words > 1 && initialsOf(before.name.name) === inside.name;
    return [
      {
        subject: before.name,
        predicate: isShort ? SAME_AS : 'works_at',
        object: inside,
        confidence: isShort ? CONFIDENCE.keyLine : CONFIDENCE.form,
        ...SURE,
      },
    ];
  });

/** "Meridian Labs' Falcon project". */
const possessives = (row: Row): readonly Statement[] =>
  row.flatMap((unit, at) => {
    if (unit.kind !== 'name' || !unit.isPossessive) return [];
    const next = posAt(row, at + 2) === 'ADJ' ? at + 3 : at + 2;
    const owned = nameAt(row, next);
    return owned ? [{ subject: unit, predicate: 'owns', object: owned, confidence: CONFIDENCE.form, ...SURE }] : [];
  });

/** Statements derived from form whose predicate applies only to certain types: the caller drops the others. */
export const formStatements = (row: Row): readonly Statement[] => [...inParentheses(row), ...possessives(row)];

/** `Owner: Alice Chen` below a heading or title that is a name. */
export const keyLineStatements = (sentence: ReadSentence, subject: NameUnit | undefined): readonly Statement[] => {
  const pattern = BY_KEY.get(sentence.segment.key ?? '');
  if (!pattern || !subject) return [];
  return sentence.names
    .filter(({ name }) => entityKey(name) !== subject.key)
    .map((value) => ({
      ...(pattern.isInverse ? { subject: value, object: subject } : { subject, object: value }),
      predicate: pattern.predicate,
      subjectType: pattern.subject,
      objectType: pattern.object,
      confidence: CONFIDENCE.keyLine,
      ...SURE,
    }));
};
