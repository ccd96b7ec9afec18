import { compareDates } from './dates.js';
import { ASYMMETRIC_PREDICATES, FUNCTIONAL_PREDICATES } from './lexicon.js';
import type { SameName } from './coverage.js';
import type { SentenceFacts, WrittenNumber } from './sentence-facts.js';

/** How a detail of the claim compares with a sentence. `open`: the sentence does not state it. */
export type Slot = 'same' | 'different' | 'open';

const worst = (slots: readonly Slot[]): Slot =>
  slots.includes('different') ? 'different' : slots.includes('open') ? 'open' : 'same';

const sameNumber = (one: WrittenNumber, other: WrittenNumber): boolean =>
  one.value !== null && other.value !== null ? one.value === other.value : one.text === other.text;

const numberSlot = (number: WrittenNumber, sentence: SentenceFacts): Slot => {
  const comparable = sentence.numbers.filter(
    ({ unit, value }) => unit === number.unit && (value === null) === (number.value === null),
  );
  if (comparable.some((other) => sameNumber(number, other))) return 'same';
  const exact = comparable.filter(({ isApproximate }) => !isApproximate);
  return exact.length > 0 && !number.isApproximate ? 'different' : 'open';
};

/** Numbers of the same unit, versions, and dates to their common precision. */
export const numberSlots = (claim: SentenceFacts, sentence: SentenceFacts): Slot => {
  const numbers = claim.numbers.map((number) => numberSlot(number, sentence));
  const dates = claim.dates.map((date): Slot => {
    const compared = sentence.dates.map((other) => compareDates(date, other));
    return compared.includes('same') ? 'same' : compared.includes('different') ? 'different' : 'open';
  });
  return worst([...numbers, ...dates]);
};

const PREFERENCE = /\b(?:over|instead of|rather than)\b/i;

/** "Redis over Kafka": the preferred option and the other one, as lower-case words. */
const preferenceOf = (text: string): [string, string] | undefined => {
  const at = PREFERENCE.exec(text);
  if (!at) return undefined;
  const before = /([\p{L}\p{N}.+#-]+)\W*$/u.exec(text.slice(0, at.index))?.[1];
  const after = /^\W*(?:the |a |an )?([\p{L}\p{N}.+#-]+)/iu.exec(text.slice(at.index + at[0].length))?.[1];
  return before && after ? [before.toLowerCase(), after.toLowerCase().replace(/\.$/, '')] : undefined;
};

const preferenceTurned = (claim: SentenceFacts, sentence: SentenceFacts): boolean => {
  const [ours, theirs] = [preferenceOf(claim.sentence.text), preferenceOf(sentence.sentence.text)];
  return ours !== undefined && theirs !== undefined && ours[0] === theirs[1] && ours[1] === theirs[0];
};

/** Whether subject and object are swapped around a predicate that has a direction. */
export const rolesDiffer = (claim: SentenceFacts, sentence: SentenceFacts, sameName: SameName): boolean => {
  const same = (one: string, other: string): boolean => one === other || sameName(one, other);
  const turned = claim.sentence.edges.some(({ subjectKey, predicate, objectKey }) =>
    sentence.sentence.edges.some(
      (edge) =>
        edge.predicate === predicate &&
        ASYMMETRIC_PREDICATES.has(predicate) &&
        same(edge.subjectKey, objectKey) &&
        same(edge.objectKey, subjectKey),
    ),
  );
  return turned || preferenceTurned(claim, sentence);
};

/** Keys of the claim's objects for which the sentence has another value: someone works at one place at a time. */
export const otherObjects = (
  claim: SentenceFacts,
  sentence: SentenceFacts,
  sameName: SameName,
): ReadonlySet<string> => {
  const same = (one: string, other: string): boolean => one === other || sameName(one, other);
  if (claim.isPast !== sentence.isPast) return new Set();
  const ours = claim.sentence.edges.filter(
    ({ predicate, negated }) => FUNCTIONAL_PREDICATES.has(predicate) && !negated,
  );
  const stated = sentence.sentence.edges.filter(({ negated, isCertain }) => !negated && isCertain);
  return new Set(
    ours
      .filter(({ subjectKey, predicate, objectKey }) => {
        const values = stated.filter((edge) => edge.predicate === predicate && same(edge.subjectKey, subjectKey));
        return values.length > 0 && !values.some((edge) => same(edge.objectKey, objectKey));
      })
      .map(({ objectKey }) => objectKey),
  );
};
