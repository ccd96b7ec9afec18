import { objectsFrom, previousVerb, subjectsOf } from './arguments.js';
import { isSecondHand, isSupposed } from './certainty.js';
import { BE_FORMS, BECOME_FORMS } from './lexicon.js';
import { type NameUnit } from './names.js';
import { EMPLOYEE_LINKS, EMPLOYEE_ROLES, ROLE_PATTERNS, type RolePattern } from './predicates.js';
import { CONFIDENCE, type Statement } from './statement.js';
import { lemmaAt, lowerAt, nameAt, nameEndingAt, posAt, type Row } from './unit-row.js';
import { verbGroupBefore } from './verb-group.js';

const EMPLOYEE: RolePattern = {
  roles: EMPLOYEE_ROLES,
  links: EMPLOYEE_LINKS,
  predicate: 'works_at',
  holder: 'person',
  other: 'organization',
};

/** "head of design at Velora": a role in an organization. */
const PLACED: RolePattern = {
  ...EMPLOYEE,
  roles: [
    ...new Set([
      ...ROLE_PATTERNS.filter(({ predicate }) => predicate === 'leads').flatMap(({ roles }) => roles),
      ...EMPLOYEE_ROLES,
    ]),
  ],
  links: ['at', 'with'],
  hasField: true,
};

const BY_ROLE: ReadonlyMap<string, readonly RolePattern[]> = (() => {
  const map = new Map<string, RolePattern[]>();
  for (const pattern of [PLACED, ...ROLE_PATTERNS, EMPLOYEE])
    for (const role of pattern.roles) map.set(role, [...(map.get(role) ?? []), pattern]);
  return map;
})();

const POSSESSIVE = "'s";
const FILLER_POS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'ADV']);
const OPENERS: ReadonlySet<string> = new Set([',', '(', '–', '—', '-', ':']);
/** "was promoted to CEO of", "joined as CFO of": verbs that give the role to their subject. */
const TAKING: ReadonlySet<string> = new Set([
  'serve',
  'work',
  'join',
  'start',
  'continue',
  'take',
  'return',
  'act',
  'become',
]);
const GIVEN: ReadonlySet<string> = new Set(['promoted', 'appointed', 'named', 'elected', 'hired', 'chosen']);
const THIRD_PERSON: ReadonlySet<string> = new Set(['his', 'her', 'their', 'its']);
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
      (lowerAt(row, at) === '-' && posAt(row, at - 1) === 'ADJ') ||
      (lowerAt(row, at) === 'and' && BY_ROLE.has(lowerAt(row, at - 1))) ||
      BY_ROLE.has(lowerAt(row, at)))
  )
    at--;
  return at;
};

/** The holder of the role, from the text before it: "Alice, …", "Alice is …". */
const holderBefore = (row: Row, before: number): Omit<Holding, 'others'> | undefined => {
  const verb = ['not', "n't", 'never', 'longer', 'no', 'still', 'now'].includes(lowerAt(row, before))
    ? previousBe(row, before)
    : before;
  if (isBe(lowerAt(row, verb))) {
    const { isNegated, isHedged } = verbGroupBefore(row, before + 1);
    return { holders: subjectsOf(row, verb), isNegated, isHedged, confidence: CONFIDENCE.role };
  }
  if (lowerAt(row, before) === 'as' || lowerAt(row, before) === 'to') return takerBefore(row, before);
  const holder = OPENERS.has(lowerAt(row, before)) ? nameEndingAt(row, before - 1) : undefined;
  return holder && { holders: [holder.name], ...SURE, confidence: CONFIDENCE.role };
};

const takerBefore = (row: Row, before: number): Omit<Holding, 'others'> | undefined => {
  const verb = previousVerb(row, before - 1);
  const { isNegated, isHedged, hasBe } = verbGroupBefore(row, verb);
  const takes = TAKING.has(lemmaAt(row, verb)) || (GIVEN.has(lowerAt(row, verb)) && hasBe);
  return takes ? { holders: subjectsOf(row, verb), isNegated, isHedged, confidence: CONFIDENCE.role } : undefined;
};

const previousBe = (row: Row, from: number): number => {
  let at = from;
  while (at > 0 && from - at < 3 && !isBe(lowerAt(row, at))) at--;
  return at;
};

/** "The CTO of Northgate is Victor Hale". */
const holderAfterBe = (row: Row, be: number): Omit<Holding, 'others'> | undefined => {
  if (!BE_FORMS.has(lowerAt(row, be))) return undefined;
  const isNegated = ['not', "n't"].includes(lowerAt(row, be + 1));
  const from = be + (isNegated || posAt(row, be + 1) === 'ADV' ? 2 : 1);
  const holder = nameAt(row, from);
  return holder && { holders: [holder], isNegated, isHedged: false, confidence: CONFIDENCE.role };
};

/** The place after "of design", if those words are here. */
const afterField = (row: Row, from: number): number => {
  if (lowerAt(row, from) !== 'of') return from;
  let at = from + 1;
  while (
    ['NOUN', 'ADJ', 'VERB'].includes(posAt(row, at)) ||
    (lowerAt(row, at) === 'and' && posAt(row, at - 1) === 'NOUN')
  )
    at++;
  return at;
};

/** "… head of Meridian Labs". */
const roleWithLink = (row: Row, role: number, { links, hasField }: RolePattern): Holding | undefined => {
  const link = hasField ? afterField(row, role + 1) : role + 1;
  if (!links.includes(lowerAt(row, link))) return undefined;
  const others = objectsFrom(row, link + 1).filter(({ isLoose }) => !isLoose);
  const last = others.at(-1)?.name;
  if (!last) return undefined;
  const holder = holderBefore(row, beforeRole(row, role)) ?? holderAfterBe(row, row.indexOf(last) + 1);
  return holder && { ...holder, others: others.map(({ name }) => name) };
};

/** "Siobhán and her manager Conor": the name that the pronoun refers to. */
const pronounFor = (row: Row, at: number): NameUnit | undefined =>
  THIRD_PERSON.has(lowerAt(row, at)) && ['and', ','].includes(lowerAt(row, at - 1))
    ? nameEndingAt(row, at - 2)?.name
    : undefined;

/** "Halcyon CEO Irene", "Priya's manager is Tomas", "Tomas is Priya's manager". */
const roleAfterName = (row: Row, role: number, links: readonly string[]): Holding | undefined => {
  let at = role - 1;
  while (posAt(row, at) === 'ADJ' || lowerAt(row, at) === POSSESSIVE || lowerAt(row, at) === "'") at--;
  const other = nameAt(row, at) ?? (nameAt(row, role + 1) ? pronounFor(row, at) : undefined);
  if (!other || (other.isPossessive && !links.includes(POSSESSIVE))) return undefined;
  const after = nameAt(row, role + 1);
  if (after) return { holders: [after], others: [other], ...SURE, confidence: CONFIDENCE.role };
  if (!other.isPossessive) return undefined;
  // "Sable's CEO, Henriette Voss, …"
  const apposed =
    lowerAt(row, role + 1) === ',' && [',', '.', ''].includes(lowerAt(row, role + 3))
      ? nameAt(row, role + 2)
      : undefined;
  if (apposed) return { holders: [apposed], others: [other], ...SURE, confidence: CONFIDENCE.role };
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
    const holding =
      roleWithLink(row, role, pattern) ?? (pattern.hasField ? undefined : roleAfterName(row, role, pattern.links));
    const found = holding ? statementsFrom(holding, pattern, isSupposed(row) || isSecondHand(row, role)) : [];
    if (found.length > 0) return found;
  }
  return [];
};

/** Relations that a role states: "X, head of Y", "X is an engineer at Y", "Y CEO X". */
export const roleStatements = (row: Row): readonly Statement[] => row.flatMap((_, at) => statementsAt(row, at));
