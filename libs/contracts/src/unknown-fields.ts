import { z } from 'zod';
import { pathOf, type Issue, type RawIssue } from './issue-words.js';
import { FAULTS_SHOWN_MAX } from './limits.js';
import { nearestName } from './nearest-name.js';
import { echoed } from './text.js';

/** One thing that is wrong with an input. */
export interface Fault {
  readonly field: string;
  /** In words, with the name of the field. */
  readonly message: string;
  readonly limit?: unknown;
  /** Of an unknown field: the known one with the most similar name, and all that are known there. */
  readonly didYouMean?: string;
  readonly knownFields?: readonly string[];
}

/** Fields of the object whose unknown keys an issue lists, by that list: an issue does not keep the schema that raised it. */
const knownBeside = new WeakMap<readonly string[], readonly string[]>();

export const noteKnownFields = ({ code, inst, keys }: RawIssue): void => {
  if (code === 'unrecognized_keys' && inst instanceof z.ZodObject) knownBeside.set(keys, Object.keys(inst.shape));
};

type UnknownKeys = Extract<Issue, { code: 'unrecognized_keys' }>;

export const unknownFieldFaults = (issue: UnknownKeys): Fault[] => {
  const knownFields = knownBeside.get(issue.keys) ?? [];
  const given = issue.input as object;
  const free = knownFields.filter((name) => !Object.hasOwn(given, name));
  return issue.keys.slice(0, FAULTS_SHOWN_MAX).map((key) => {
    const name = echoed(key);
    const field = [pathOf(issue), name].filter(Boolean).join('.');
    const didYouMean = nearestName(name, free);
    const question = didYouMean === undefined ? '' : ` (did you mean ${didYouMean}?)`;
    const message = `${field} is not a known field${question}`;
    return { field, message, ...(didYouMean === undefined ? {} : { didYouMean }), knownFields };
  });
};

export const knownFieldsNote = (issue: UnknownKeys): string => {
  const owner = issue.path.length > 0 ? ` of ${pathOf(issue)}` : '';
  return `Known fields${owner}: ${knownBeside.get(issue.keys)?.join(', ') || 'none'}`;
};
