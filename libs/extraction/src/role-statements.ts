import { objectsFrom, subjectsOf } from './arguments.js';
import { isSecondHand, isSupposed } from './certainty.js';
import { BE_FORMS, BECOME_FORMS } from './lexicon.js';
import { type NameUnit } from './names.js';
import { EMPLOYEE_LINKS, EMPLOYEE_ROLES, ROLE_PATTERNS, type RolePattern } from './predicates.js';
import { CONFIDENCE, type Statement } from './statement.js';
import { lowerAt, nameAt, nameEndingAt, posAt, type Row } from './unit-row.js';
import { verbGroupBefore } from './verb-group.js';

const EMPLOYEE: RolePattern = {
  roles: EMPLOYEE_ROLES,
  links: EMPLOYEE_LINKS,
  predicate: 'works_at',
  holder: 'person',
  other: 'organization',
};

const BY_ROLE: ReadonlyMap<string, readonly RolePattern[]> = (() => {
  const map = new Map<string, RolePattern[]>();
  for (const pattern of [...ROLE_PATTERNS, EMPLOYEE])
    for (const role of pattern.roles) map.set(role, [...(map.get(role) ?? []), pattern]);
  return map;
})();

const POSSESSIVE = "'s";
const FILLER_POS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'ADV']);
const OPENERS: ReadonlySet<string> = new Set([',', '(', '–', '—', '-', ':']);
const isBe = (lower: string): boolean => BE_FORMS.has(lower) || BECOME_FORMS.has(lower);

interface Holding {
  readonly holders: readonly NameUnit[];
  readonly others: readonly NameUnit[];
  readonly isNegated: boolean;
  readonly isHedged: boolean;
  readonly confidence: number;
}
const SURE = { isNegated: false, isHedged: false };

/** The place before the words that belong to the role: "the new", "senior", "founder and". */
const beforeRole = (row: Row, role: number): number => {
  let at = role - 1;
  while (
    at >= 0 &&
    (FILLER_POS.has(posAt(row, at)) ||
      (lowerAt(row, at) === 'and' && BY_ROLE.has(lowerAt(row, at - 1))) ||
      BY_ROLE.has(lowerAt(row, at)))
  )
    at--;
  return at;
};

/** Who has the role, from what stands before it: "Alice, …", "Alice is …". */
const holderBefore = (row: Row, before: number): Omit<Holding, 'others'> | undefined => {
  const verb = ['not', "n't", 'never', 'longer', 'no', 'still', 'now'].includes(lowerAt(row, before))
    ? previousBe(row, before)
    : before;
  if (isBe(lowerAt(row, verb))) {
    const { isNegated, isHedged } = verbGroupBefore(row, before + 1);
    return { holders: subjectsOf(row, verb), isNegated, isHedged, confidence: CONFIDENCE.role };
  }
  const holder = OPENERS.has(lowerAt(row, before)) ? nameEndingAt(row, before - 1) : undefined;
  return holder && { holders: [holder.name], ...SURE, confidence: CONFIDENCE.role };
};

const previousBe = (row: Row, from: number): number => {
  let at = from;
  while (at > 0 && from - at < 3 && !isBe(lowerAt(row, at))) at--;
  return at;
};

/** "… head of Meridian Labs". */
const roleWithLink = (row: Row, role: number, links: readonly string[]): Holding | undefined => {
  if (!links.includes(lowerAt(row, role + 1))) return undefined;
  const others = objectsFrom(row, role + 2).filter(({ isLoose }) => !isLoose);
  const holder = others.length === 0 ? undefined : holderBefore(row, beforeRole(row, role));
  return holder && { ...holder, others: others.map(({ name }) => name) };
};

/** "Halcyon CEO Irene", "Priya's manager is Tomas", "Tomas is Priya's manager". */
const roleAfterName = (row: Row, role: number, links: readonly string[]): Holding | undefined => {
  let at = role - 1;
  while (posAt(row, at) === 'ADJ' || lowerAt(row, at) === POSSESSIVE || lowerAt(row, at) === "'") at--;
  const other = nameAt(row, at);
  if (!other || (other.isPossessive && !links.includes(POSSESSIVE))) return undefined;
  const after = nameAt(row, role + 1);
  if (after) return { holders: [after], others: [other], ...SURE, confidence: CONFIDENCE.role };
  if (!other.isPossessive) return undefined;
  if (isBe(lowerAt(row, role + 1))) {
    const isNegated = ['not', "n't"].includes(lowerAt(row, role + 2));
    const holders = objectsFrom(row, role + (isNegated ? 3 : 2)).map(({ name }) => name);
    return holders.length === 0
      ? undefined
      : { holders, others: [other], isNegated, isHedged: false, confidence: CONFIDENCE.role };
  }
  const holder = holderBefore(row, at - 1);
  return holder && { ...holder, others: [other] };
};

const statementsFrom = (holding: Holding, pattern: RolePattern, isUncertain: boolean): readonly Statement[] =>
  holding.holders.flatMap((holder) =>
    holding.others
      .filter((other) => other !== holder)
      .map((other) => ({
        ...(pattern.isInverse
          ? { subject: other, object: holder, subjectType: pattern.other, objectType: pattern.holder }
          : { subject: holder, object: other, subjectType: pattern.holder, objectType: pattern.other }),
        predicate: pattern.predicate,
        confidence: holding.confidence,
        isNegated: holding.isNegated,
        isHedged: holding.isHedged || isUncertain,
      })),
  );

const statementsAt = (row: Row, role: number): readonly Statement[] => {
  for (const pattern of BY_ROLE.get(lowerAt(row, role)) ?? []) {
    const holding = roleWithLink(row, role, pattern.links) ?? roleAfterName(row, role, pattern.links);
    const found = holding ? statementsFrom(holding, pattern, isSupposed(row) || isSecondHand(row, role)) : [];
    if (found.length > 0) return found;
  }
  return [];
};

/** Relations that a role states: "X, head of Y", "X is an engineer at Y", "Y CEO X". */
export const roleStatements = (row: Row): readonly Statement[] => row.flatMap((_, at) => statementsAt(row, at));
