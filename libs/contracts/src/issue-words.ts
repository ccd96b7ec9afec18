import { z } from 'zod';

export type Issue = z.core.$ZodIssue;
export type RawIssue = z.core.$ZodRawIssue;

export const pathOf = (issue: Issue): string => {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return path.startsWith('.') ? path.slice(1) : path;
};

export const oneOf = (values: readonly unknown[]): string => `must be one of ${values.map(String).join(', ')}`;

export const limitOf = (issue: Issue): unknown => {
  if (issue.code === 'too_big') return issue.maximum;
  if (issue.code === 'too_small') return issue.minimum;
  if (issue.code === 'custom') return (issue.params as { limit?: unknown } | undefined)?.limit;
  if (issue.code === 'invalid_value') return issue.values;
  return undefined;
};

/** Bounds at the safe integers come from the number type and are not limits of the field. */
const rangeOf = ({ minValue, maxValue }: z.ZodNumber): string => {
  const min = minValue !== null && minValue > Number.MIN_SAFE_INTEGER;
  const max = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  if (min && max) return ` from ${minValue} to ${maxValue}`;
  if (min) return ` of at least ${minValue}`;
  return max ? ` of at most ${maxValue}` : '';
};

/**
 * For text in place of a number, zod reports only a wrong type. The schema that refused it knows whether the number
 * must be whole, and its bounds. In a URL every value is text, so this also covers `1.5`.
 */
export const numberWanted = ({ code, inst }: RawIssue): string | undefined =>
  code === 'invalid_type' && inst instanceof z.ZodNumber
    ? `must be a ${inst.isInt ? 'whole ' : ''}number${rangeOf(inst)}`
    : undefined;

const isNumberWanted = (expected: string): boolean => expected === 'number' || expected === 'int';

export const messageOf = (issue: Issue): string => {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required';
    return isNumberWanted(issue.expected) ? issue.message : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  if (issue.code === 'too_big') return bound('at most', issue.maximum, issue.origin);
  if (issue.code === 'too_small')
    return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
  return issue.message;
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
};

/** Numbers are "at most 5"; lists and texts "have at most 5". */
const bound = (how: string, limit: number | bigint, origin: string): string => {
  const unit = UNITS[origin];
  return unit ? `must have ${how} ${limit} ${unit[limit === 1 ? 0 : 1]}` : `must be ${how} ${limit}`;
};
