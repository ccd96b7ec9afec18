import { z } from 'zod';
import { fail } from './errors.js';
import type { AppError } from '@cairn/kernel';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const FIELD_NAME_CHARS_SHOWN = 64;

const pathOf = (issue: Issue): string => {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const own = path.startsWith('.') ? path.slice(1) : path;
  if (issue.code !== 'unrecognized_keys') return own;
  // A stranger chose this name, of any length.
  return [own, issue.keys[0]?.slice(0, FIELD_NAME_CHARS_SHOWN).toWellFormed()].filter(Boolean).join('.');
};

const limitOf = (issue: Issue): unknown => {
  if (issue.code === 'too_big') return issue.maximum;
  if (issue.code === 'too_small') return issue.minimum;
  if (issue.code === 'custom') return (issue.params as { limit?: unknown } | undefined)?.limit;
  if (issue.code === 'invalid_value') return issue.values;
  return undefined;
};

/** Beyond these lies what a double cannot count exactly, which is no limit of the field. */
const rangeOf = ({ minValue, maxValue }: z.ZodNumber): string => {
  const min = minValue !== null && minValue > Number.MIN_SAFE_INTEGER;
  const max = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  if (min && max) return ` from ${minValue} to ${maxValue}`;
  if (min) return ` of at least ${minValue}`;
  return max ? ` of at most ${maxValue}` : '';
};

/**
 * A text in the place of a number is the wrong type to zod, whether or not the number should be whole: only the schema
 * that refused it knows, and its bounds with it. In a URL everything comes as text, so `1.5` is one, too.
 */
const numberWanted = ({ code, inst }: RawIssue): string | undefined =>
  code === 'invalid_type' && inst instanceof z.ZodNumber
    ? `must be a ${inst.isInt ? 'whole ' : ''}number${rangeOf(inst)}`
    : undefined;

const isNumberWanted = (expected: string): boolean => expected === 'number' || expected === 'int';

const messageOf = (issue: Issue): string => {
  if (issue.code === 'unrecognized_keys') return 'is not a known field';
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required';
    return isNumberWanted(issue.expected) ? issue.message : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big') return bound('at most', issue.maximum, issue.origin);
  if (issue.code === 'too_small')
    return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
  return issue.message;
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
};

/** A number is so much; a list or a text has so many. */
const bound = (how: string, limit: number | bigint, origin: string): string => {
  const unit = UNITS[origin];
  return unit ? `must have ${how} ${limit} ${unit[limit === 1 ? 0 : 1]}` : `must be ${how} ${limit}`;
};

/** Beyond what a double can count exactly, zod first names that bound, which is no limit of the field. */
const isSafeIntegerIssue = (issue: Issue): boolean =>
  (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';

/** The first issue as an error that names the field and, where there is one, the limit. */
const invalidInput = (error: z.ZodError): AppError => {
  const issue = error.issues.find((one) => !isSafeIntegerIssue(one)) ?? error.issues[0];
  if (!issue) return fail('input.invalid', 'the input is not valid');
  const field = pathOf(issue);
  const limit = limitOf(issue);
  return fail('input.invalid', `${field || 'input'} ${messageOf(issue)}`, {
    field: field || 'input',
    ...(limit === undefined ? {} : { limit }),
  });
};

/** Parse at a border: the value in its newest shape, or an `input.invalid` that names the field. */
export const parseInput = <S extends z.ZodType>(schema: S, input: unknown): z.infer<S> => {
  const parsed = schema.safeParse(input, { reportInput: true, error: numberWanted });
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
};
