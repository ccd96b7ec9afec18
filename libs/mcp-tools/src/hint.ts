import type { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { neutraliseAll } from './hygiene.js';
import { oneLine } from './hit-list.js';

/** As much of a caller's text as a hint or a trace repeats. */
export const HINT_ECHO_CHARS_MAX = 80;
export const HINT_MESSAGE_CHARS_MAX = 400;
/** A text in the arguments of a suggested call: as long as the longest query. */
const NEXT_TEXT_CHARS_MAX = 2_000;
const ENTRIES_MAX = 64;

/** A call that may work where the one before did not. */
const NextCall = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

export const Hint = z.strictObject({
  kind: z.string().describe('Which hint this is: a name that does not change.'),
  message: z.string().describe('What to try instead, in one sentence or two.'),
  next: z.array(NextCall).describe('Calls that may work, best first. Empty where no other call helps.'),
});
export const Trace = z.record(z.string(), z.unknown());

export type NextCall = Readonly<z.infer<typeof NextCall>>;
export interface Hint {
  readonly kind: string;
  readonly message: string;
  readonly next: readonly NextCall[];
}
export type Trace = Readonly<Record<string, unknown>>;

/** What a hinted tool says where it found nothing or failed: what to try, and what it did. The same call, the same trail. */
export interface Trail {
  readonly hint: Hint;
  /** For programs. */
  readonly trace: Trace;
  /** The trace in words, for the trailer: no times, no ids of ours. */
  readonly traced: string;
}

/** Pure functions of the call and its outcome: no clock, no randomness, no model. */
export interface ToolHints<A, O> {
  /** Undefined where the answer is not empty. `trace` is what the handler returned beside its answer. */
  readonly empty: (seen: { readonly args: A; readonly structured: O; readonly trace: Trace }) => Trail | undefined;
  /** Arguments are as they were given, since they may be what is wrong. */
  readonly error: (seen: { readonly args: Readonly<Record<string, unknown>>; readonly error: AppError }) => Trail;
}

/** Both as fields of an answer, where it is empty or a failure. */
export const TRAIL_FIELDS = {
  hint: Hint.exactOptional().describe('Only of an empty answer or a failure: what to try instead.'),
  trace: Trace.exactOptional().describe('Only of an empty answer or a failure: what was looked for, and how.'),
};

const cut = (text: string, charsMax: number): string => {
  if (text.length <= charsMax) return text;
  const chars = Array.from(text);
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`;
};

/** Square brackets end a trailer's line, so a text inside one has round ones. */
const unbracketed = (text: string): string => oneLine(text).replaceAll('[', '(').replaceAll(']', ')');

/** A text of the caller or of the library as a hint repeats it: one line, short, in quotation marks. */
export const quote = (text: unknown): string =>
  `"${cut(unbracketed(typeof text === 'string' ? text : (JSON.stringify(text) ?? '')), HINT_ECHO_CHARS_MAX)}"`;

const echo = (text: string): string => cut(oneLine(text), HINT_ECHO_CHARS_MAX);
const whole = (text: string): string => cut(text, NEXT_TEXT_CHARS_MAX);

const bounded = (value: unknown, shown: (text: string) => string): unknown => {
  if (typeof value === 'string') return shown(value);
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((entry) => bounded(entry, shown));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, ENTRIES_MAX);
  return Object.fromEntries(entries.map(([key, inner]) => [echo(key), bounded(inner, shown)]));
};

/** As it may leave: whatever a caller or the library put into it is short, on one line, and cannot end the trailer. */
export const cleanTrail = ({ hint, trace, traced }: Trail): Trail =>
  neutraliseAll({
    hint: {
      kind: hint.kind,
      message: cut(unbracketed(hint.message), HINT_MESSAGE_CHARS_MAX),
      next: bounded(hint.next, whole) as Hint['next'],
    },
    trace: bounded(trace, echo) as Trace,
    traced: cut(unbracketed(traced), HINT_MESSAGE_CHARS_MAX),
  }).value;

/** The last content block of an empty answer or a failure. */
export const trailerOf = ({ hint, traced }: Trail): string => `[hint: ${hint.message}]\n[trace: ${traced}]`;
