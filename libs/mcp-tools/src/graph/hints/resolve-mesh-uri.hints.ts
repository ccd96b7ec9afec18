import type { AppError } from '@cairn/kernel';
import type { ToolHints, Trace, Trail } from '../../hint.js';
import type { ResolveMeshUriAnswer, ResolveMeshUriArgs } from '../resolve-mesh-uri.tool.js';
import { commonFailure } from './common.hints.js';

const TOOL = 'carabase_resolve_mesh_uri';

/** In the order in which the checks are made. */
const CHECKS = ['capability', 'account', 'confirmation', 'batch', 'budget', 'concurrency'] as const;
type Check = (typeof CHECKS)[number];

const STORED = 'Work with what is stored: carabase_search_semantic finds its summary.';

const REFUSALS: Readonly<Record<string, readonly [check: Check, message: string]>> = {
  'mesh.unsupported': ['capability', `The source of this artifact gives no texts. ${STORED}`],
  'mesh.account_off': [
    'account',
    `Fetching is off for the account of this artifact; an admin can turn it on. ${STORED}`,
  ],
  'mesh.confirmation_required': [
    'confirmation',
    'Ask the user to confirm this fetch with POST /api/v1/mesh/confirmations, then call with the uri from there.',
  ],
  'mesh.confirmation_invalid': [
    'confirmation',
    'This confirmation is used up, expired, or made for another artifact or agent. Ask the user for a new one.',
  ],
  'mesh.batch_too_large': ['batch', `The text is longer than its account allows to fetch. ${STORED}`],
  'mesh.budget_spent': [
    'budget',
    `The workspace has no tokens left for fetching today. Wait as many seconds as retry_after_sec says. ${STORED}`,
  ],
  busy: ['concurrency', 'Other fetches of this workspace are running. Repeat the call as it is in a moment.'],
};

/** The connector is part of the request; a token never is. */
const connectorIn = (uri: unknown): string | undefined =>
  typeof uri === 'string' ? /^mesh:\/\/([a-z0-9-]{1,24})\//i.exec(uri)?.[1] : undefined;

/** The retention is known once the item was found. */
const traceOf = (uri: unknown, { details: { retention } }: AppError): Trace => {
  const connector = connectorIn(uri);
  return { ...(connector !== undefined && { connector }), ...(retention !== undefined && { retention }) };
};

const refused = ({ code }: AppError, trace: Trace): Trail | undefined => {
  const refusal = REFUSALS[code];
  if (!refusal) return undefined;
  const [failed, message] = refusal;
  const checks = CHECKS.slice(0, CHECKS.indexOf(failed) + 1).map((name) => ({ name, ok: name !== failed }));
  return {
    hint: { kind: 'meshRefused', message, next: [] },
    trace: { checks, ...trace },
    traced: `checked ${checks.map(({ name, ok }) => `${name} ${ok ? 'ok' : 'failed'}`).join(', ')}; nothing was fetched`,
  };
};

export const resolveMeshUriHints: ToolHints<ResolveMeshUriArgs, ResolveMeshUriAnswer> = {
  empty: ({ structured }) =>
    structured.text.trim() === ''
      ? {
          hint: { kind: 'generic', message: 'The source gave a document without text.', next: [] },
          trace: { connector: structured.provenance.connector, retention: structured.retention },
          traced: `fetched from ${structured.provenance.connector} → no text`,
        }
      : undefined,
  error: ({ args, error }) => {
    const trace = traceOf(args['uri'], error);
    return refused(error, trace) ?? commonFailure({ tool: TOOL, args, error, trace });
  },
};
