import { z } from 'zod';

export type Issue = z.core.$ZodIssue;
export type RawIssue = z.core.$ZodRawIssue;

export const pathOf = (issue: Issue): string => {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return path.startsWith('.') ? path.slice(1) : path;
};

export const limitOf = (issue: Issue): unknown => {
  if (issue.code === 'too_big') return issue.maximum;
  if (issue.code === 'too_small') return issue.minimum;
  if (issue.code === 'custom') return (issue.params as { limit?: unknown } | undefined)?.limit;
  if (issue.code === 'invalid_value') return issue.values;
  return undefined;
};

/** A double cannot count exactly beyond these bounds, which are not limits of the field. */
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
