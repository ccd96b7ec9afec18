import type { AppError } from '@cairn/kernel';
import { quote, type NextCall, type Trace, type Trail } from '../../hint.js';

type Args = Readonly<Record<string, unknown>>;

export interface FailedCallSeen {
  readonly tool: string;
  readonly error: AppError;
  /** What the tool was asked for, as far as it is worth repeating. */
  readonly trace: Trace;
  /** Calls that may work instead. */
  readonly next?: readonly NextCall[];
}

/** A suggested call. Arguments that are undefined are left out. */
export const nextCall = (tool: string, args: Args): NextCall => ({
  tool,
  arguments: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
});

const wrongArgument = ({ details }: AppError): string => {
  const { field, limit, didYouMean } = details;
  const name = typeof field === 'string' ? field : 'an argument';
  if (typeof didYouMean === 'string') return `Use ${didYouMean} instead of ${name}.`;
  const allowed = Array.isArray(limit) ? ` Allowed: ${limit.join(', ')}.` : '';
  return `Correct ${name} and call again; the other arguments can stay.${allowed}`;
};

/** By the code first, then by the kind: what a caller of any tool can do about it. */
const COMMON: Readonly<Record<string, (error: AppError) => readonly [kind: string, message: string]>> = {
  rate_limited: () => [
    'rateLimited',
    'This token has used up its calls. Wait as many seconds as retry_after_sec says, then repeat the call as it is.',
  ],
  busy: () => ['busy', 'Too many calls run at the same time. Repeat the call as it is in a moment.'],
  'scope.missing': ({ details }) => [
    'missingScope',
    `The token lacks the scope ${quote(details['scope'])}. Ask an admin for a token with it; repeating the call does not help.`,
  ],
  invalid: (error) => ['invalidArguments', wrongArgument(error)],
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

/** What every tool says of a failure that is not its own. Deterministic: no times and no ids, so never the error's message. */
export const commonFailure = ({ tool, error, trace, next = [] }: FailedCallSeen): Trail => {
  const [kind, message] = (COMMON[error.code] ?? COMMON[error.kind])?.(error) ?? GENERIC;
  const { field } = error.details;
  const at = typeof field === 'string' ? ` at ${field}` : '';
  return {
    hint: { kind, message, next },
    trace: { ...trace, failed: error.code },
    traced: `${tool} failed with ${error.code}${at}`,
  };
};
