import { z } from 'zod';
import { pathOf, type Issue, type RawIssue } from './issue-words.js';
import { FAULTS_SHOWN_MAX } from './limits.js';
import { nearestName } from './nearest-name.js';
import { echoed } from './text.js';

/** One fault of an input. */
export interface Fault {
  readonly field: string;
  /** Describes the fault and names the field. */
  readonly message: string;
  readonly limit?: unknown;
  /** For an unknown field: the known field with the most similar name, and all fields known there. */
  readonly didYouMean?: string;
  readonly knownFields?: readonly string[];
}

interface KnownFields {
  readonly all: readonly string[];
  readonly required: ReadonlySet<string>;
}

const NONE: KnownFields = { all: [], required: new Set() };

/**
 * The known fields of an object, keyed by the list of unknown keys in an issue: an issue does not keep the schema that
 * raised it.
 */
const knownBeside = new WeakMap<readonly string[], KnownFields>();

export const noteKnownFields = ({ code, inst, keys }: RawIssue): void => {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodObject)) return;
  const fields = Object.entries<z.ZodType>(inst.shape);
  const required = fields.filter(([, schema]) => !schema.isOptional()).map(([name]) => name);
  knownBeside.set(keys, { all: fields.map(([name]) => name), required: new Set(required) });
};

/** While a required field is missing, an unknown one most likely stands for it. */
const meantBy = (name: string, { all, required }: KnownFields, given: object): string | undefined => {
  const free = all.filter((field) => !Object.hasOwn(given, field));
  const missing = free.filter((field) => required.has(field));
  if (missing.length === 0) return nearestName(name, free);
  return nearestName(
    name,
    missing,
    free.filter((field) => !required.has(field)),
  );
};

type UnknownKeys = Extract<Issue, { code: 'unrecognized_keys' }>;

export const unknownFieldFaults = (issue: UnknownKeys): Fault[] => {
  const known = knownBeside.get(issue.keys) ?? NONE;
  return issue.keys.slice(0, FAULTS_SHOWN_MAX).map((key) => {
    const name = echoed(key);
    const field = [pathOf(issue), name].filter(Boolean).join('.');
    const didYouMean = meantBy(name, known, issue.input as object);
    const question = didYouMean === undefined ? '' : ` (did you mean ${didYouMean}?)`;
    const message = `${field} is not a known field${question}`;
    return { field, message, ...(didYouMean === undefined ? {} : { didYouMean }), knownFields: known.all };
  });
};

export const knownFieldsNote = (issue: UnknownKeys): string => {
  const owner = issue.path.length > 0 ? ` of ${pathOf(issue)}` : '';
  return `Known fields${owner}: ${knownBeside.get(issue.keys)?.all.join(', ') || 'none'}`;
};
