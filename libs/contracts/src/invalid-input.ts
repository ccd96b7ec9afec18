import type { AppError } from '@cairn/kernel';
import type { z } from 'zod';
import { fail } from './errors.js';
import { limitOf, messageOf, numberWanted, pathOf, type Issue, type RawIssue } from './issue-words.js';
import { FAULTS_SHOWN_MAX } from './limits.js';
import { plural } from './plural.js';
import { knownFieldsNote, noteKnownFields, unknownFieldFaults, type Fault } from './unknown-fields.js';

const describe = (issue: RawIssue): string | undefined => {
  noteKnownFields(issue);
  return numberWanted(issue);
};

/** For a number beyond the safe integers, zod reports that bound first, which is not a limit of the field. */
const isSafeIntegerIssue = (issue: Issue): boolean =>
  (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';

const faultsOf = (issue: Issue): Fault[] => {
  if (issue.code === 'unrecognized_keys') return unknownFieldFaults(issue);
  const field = pathOf(issue) || 'input';
  const limit = limitOf(issue);
  return [{ field, message: `${field} ${messageOf(issue)}`, ...(limit === undefined ? {} : { limit }) }];
};

const countOf = (issue: Issue): number => (issue.code === 'unrecognized_keys' ? issue.keys.length : 1);

/** All faults in words, then the known fields of each object that had an unknown one. */
const inWords = (issues: readonly Issue[], faults: readonly Fault[]): string => {
  const further = issues.reduce((sum, issue) => sum + countOf(issue), 0) - faults.length;
  const more = further > 0 ? [`and ${plural(further, 'further fault')}`] : [];
  const shown = issues.slice(0, FAULTS_SHOWN_MAX);
  const known = shown.flatMap((issue) => (issue.code === 'unrecognized_keys' ? [knownFieldsNote(issue)] : []));
  return [[...faults.map(({ message }) => message), ...more].join('; '), ...known].join('. ');
};

/** Reports one fault per field: further faults of the field may follow from the first. */
const withoutRepeats = (issues: readonly Issue[]): readonly Issue[] => {
  const own = issues.filter((issue) => !isSafeIntegerIssue(issue));
  const seen = new Set<string>();
  return (own.length > 0 ? own : issues).filter((issue) => {
    const key = issue.code === 'unrecognized_keys' ? `${pathOf(issue)}.*` : pathOf(issue);
    return !seen.has(key) && seen.add(key);
  });
};

/** Reports the first fault with its field and limit, and lists all faults if there are several. */
const invalidInput = (error: z.ZodError): AppError => {
  const issues = withoutRepeats(error.issues);
  const faults = issues.slice(0, FAULTS_SHOWN_MAX).flatMap(faultsOf).slice(0, FAULTS_SHOWN_MAX);
  const [first] = faults;
  if (!first) return fail('input.invalid', 'the input is not valid');
  const { message: _, ...details } = first;
  const all = faults.length > 1 ? { faults: faults.map(({ knownFields: __, ...fault }) => fault) } : {};
  return fail('input.invalid', inWords(issues, faults), { ...details, ...all });
};

/**
 * Parses input at a border: returns the value in its newest shape, or fails with `input.invalid` and the field's name.
 */
export const parseInput = <S extends z.ZodType>(schema: S, input: unknown): z.infer<S> => {
  const parsed = schema.safeParse(input, { reportInput: true, error: describe });
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
};
