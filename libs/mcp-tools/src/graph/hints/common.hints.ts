import type { AppError } from '@cairn/kernel';
import { quote, type NextCall, type Trace, type Trail } from '../../hint.js';

type Args = Readonly<Record<string, unknown>>;

export interface FailedCallSeen {
  readonly tool: string;
  /** As given, since they may be the fault. */
  readonly args: Args;
  readonly error: AppError;
  /** The request, as far as it is worth repeating. */
  readonly trace: Trace;
  /** Calls that may work instead. */
  readonly next?: readonly NextCall[];
}

/** A suggested call. Arguments that are undefined are left out. */
export const nextCall = (tool: string, args: Args): NextCall => ({
  tool,
  arguments: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
});

interface Fault {
  readonly field?: unknown;
  readonly limit?: unknown;
  readonly didYouMean?: unknown;
}

/** A failure reports one fault in its details, and a list if there are several. */
const faultsOf = ({ details }: AppError): readonly Fault[] =>
  Array.isArray(details['faults']) ? (details['faults'] as readonly Fault[]) : [details];

/** The arguments that were refused, as paths. */
export const faultyFields = (error: AppError): readonly string[] =>
  faultsOf(error).flatMap(({ field }) => (typeof field === 'string' ? [field] : []));

const isRecord = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The path of the object that holds the field, up to its dot. The name of an unknown field may have dots of its own. */
const parentOf = (field: string, holder: unknown): string => {
  if (!isRecord(holder)) return field.slice(0, field.lastIndexOf('.') + 1);
  const dot = field.indexOf('.');
  if (dot < 0 || Object.hasOwn(holder, field)) return '';
  return field.slice(0, dot + 1) + parentOf(field.slice(dot + 1), holder[field.slice(0, dot)]);
};

const renaming = ({ field, didYouMean }: Fault, args: Args): string[] =>
  typeof field === 'string' && typeof didYouMean === 'string'
    ? [`Use ${parentOf(field, args)}${didYouMean} instead of ${field}.`]
    : [];

/** The fault of an object may follow from the one inside it. */
const innermost = (fields: readonly string[]): readonly string[] =>
  fields.filter((field) => !fields.some((other) => other.startsWith(`${field}.`) || other.startsWith(`${field}[`)));

const wrongArguments = (error: AppError, args: Args): string => {
  const faults = faultsOf(error);
  const renamings = faults.flatMap((fault) => renaming(fault, args));
  const fields = innermost(faultyFields(error));
  if (fields.length === renamings.length && fields.length > 0) return renamings.join(' ');
  if (faults.length > 1) {
    const list = [fields.slice(0, -1).join(', '), fields.at(-1)].filter(Boolean).join(' and ');
    return [`Correct ${list}, then call again.`, ...renamings].join(' ');
  }
  const { limit } = error.details;
  const allowed = Array.isArray(limit) ? ` Allowed: ${limit.join(', ')}.` : '';
  return `Correct ${fields[0] ?? 'an argument'} and call again; the other arguments can stay.${allowed}`;
};

/** By the code first, then by the kind: what a caller of any tool can do about the failure. */
const COMMON: Readonly<Record<string, (error: AppError, args: Args) => readonly [kind: string, message: string]>> = {
  rate_limited: () => [
    'rateLimited',
    'This token has used up its calls. Wait as many seconds as retry_after_sec says, then repeat the call as it is.',
  ],
  busy: () => ['busy', 'Too many calls run at the same time. Repeat the call as it is in a moment.'],
  'scope.missing': ({ details }) => [
    'missingScope',
    `The token lacks the scope ${quote(details['scope'])}. Ask an admin for a token with it; repeating the call does not help.`,
  ],
  invalid: (error, args) => ['invalidArguments', wrongArguments(error, args)],
  unavailable: () => [
    'unavailable',
    'A part of Cairn is unavailable at the moment. Repeat the call as it is in a moment.',
  ],
  conflict: () => ['unavailable', 'Another write came first. Repeat the call as it is.'],
  missing: () => [
    'notFound',
    'There is no such thing for this token. Look it up first, then call again with the id found.',
  ],
};

const GENERIC = ['generic', 'Answer without this tool, or try another one; repeating the call does not help.'] as const;

/**
 * The message of every tool for a failure that is not its own. Deterministic: no times and no ids, so never the error's
 * message.
 */
export const commonFailure = ({ tool, args, error, trace, next = [] }: FailedCallSeen): Trail => {
  const [kind, message] = (COMMON[error.code] ?? COMMON[error.kind])?.(error, args) ?? GENERIC;
  const { field } = error.details;
  const at = typeof field === 'string' ? ` at ${field}` : '';
  return {
    hint: { kind, message, next },
    trace: { ...trace, failed: error.code },
    traced: `${tool} failed with ${error.code}${at}`,
  };
};
