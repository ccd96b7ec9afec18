import type { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { neutraliseAll } from './hygiene.js';
import { oneLine } from './hit-list.js';

/** How much of a caller's text a hint or a trace repeats. */
export const HINT_ECHO_CHARS_MAX = 80;
export const HINT_MESSAGE_CHARS_MAX = 400;
/** The length of a text in the arguments of a suggested call: that of the longest query. */
const NEXT_TEXT_CHARS_MAX = 2_000;
const ENTRIES_MAX = 64;

/** A call that may succeed after the previous one did not. */
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

/**
 * The trail of a hinted tool that found nothing or failed: what to try, and what it did. The same call gives the same
 * trail.
 */
export interface Trail {
  readonly hint: Hint;
  /** For programs. */
  readonly trace: Trace;
  /** The trace as text, for the trailer: no times and no internal ids. */
  readonly traced: string;
}

/** Pure functions of the call and its outcome: no clock, no randomness, no model. */
export interface ToolHints<A, O> {
  /** Undefined if the answer is not empty. `trace` is what the handler returned next to its answer. */
  readonly empty: (seen: { readonly args: A; readonly structured: O; readonly trace: Trace }) => Trail | undefined;
  /** The arguments are as given, since they may be the fault. */
  readonly error: (seen: { readonly args: Readonly<Record<string, unknown>>; readonly error: AppError }) => Trail;
}

/** Fields of an empty answer or a failure. */
export const TRAIL_FIELDS = {
  hint: Hint.exactOptional().describe('Only of an empty answer or a failure: what to try instead.'),
  trace: Trace.exactOptional().describe('Only of an empty answer or a failure: what was looked for, and how.'),
};

const cut = (text: string, charsMax: number): string => {
  if (text.length <= charsMax) return text;
  const chars = Array.from(text);
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`;
};

/** Square brackets would end a trailer's line, so they become round ones. */
const unbracketed = (text: string): string => oneLine(text).replaceAll('[', '(').replaceAll(']', ')');

/** A text of the caller or of the library, as repeated in a hint: one line, short, in quotation marks. */
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

/** A suggested call is repeated as it is given: one that is shown in another form would search for another text, or store one. */
const isShownUnchanged = (call: NextCall): boolean => {
  const shown = neutraliseAll(bounded(call, whole));
  return !shown.sanitized && JSON.stringify(shown.value) === JSON.stringify(call);
};

/** The trail in its final form: text from a caller or the library is short, on one line, and cannot end the trailer. */
export const cleanTrail = ({ hint, trace, traced }: Trail): Trail =>
  neutraliseAll({
    hint: {
      kind: hint.kind,
      message: cut(unbracketed(hint.message), HINT_MESSAGE_CHARS_MAX),
      next: hint.next.slice(0, ENTRIES_MAX).filter(isShownUnchanged),
    },
    trace: bounded(trace, echo) as Trace,
    traced: cut(unbracketed(traced), HINT_MESSAGE_CHARS_MAX),
  }).value;

/** The last content block of an empty answer or a failure. */
export const trailerOf = ({ hint, traced }: Trail): string => `[hint: ${hint.message}]\n[trace: ${traced}]`;
