import { z } from 'zod';
import {
  SERVER_CREDENTIAL_CHARS_MAX,
  SERVER_HEADER_NAME_CHARS_MAX,
  SERVER_NAME_CHARS_MAX,
  SERVER_TOOL_NAME_CHARS_MAX,
  SERVER_TOOLS_MAX,
  SERVER_URL_CHARS_MAX,
} from './limits.js';
import { slugOf, text } from './text.js';

/** Definitions for external MCP servers: third-party servers whose tools a workspace offers next to its own. */
export const SERVER_TRANSPORTS = ['auto', 'streamable-http', 'sse'] as const;
export const ServerTransport = z.enum(SERVER_TRANSPORTS);
export type ServerTransport = z.infer<typeof ServerTransport>;

/** `first-use` trusts the definitions of the first discovery; `manual` trusts none until a person has approved them. */
export const SERVER_APPROVALS = ['first-use', 'manual'] as const;
export const ServerApproval = z.enum(SERVER_APPROVALS);
export type ServerApproval = z.infer<typeof ServerApproval>;

/** The prefix of the server's tool names, `<name>__<tool>`. A slug has no underscore, so the first `__` ends it. */
export const ServerName = slugOf(SERVER_NAME_CHARS_MAX);

/** The SHA-256 of a tool's definition, as approved by a person or by first use. */
export const ToolPin = z.strictObject({
  name: z.string().min(1).max(SERVER_TOOL_NAME_CHARS_MAX),
  hash: z
    .string()
    .max(64)
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits'),
});
export type ToolPin = z.infer<typeof ToolPin>;

export const ToolPins = z.array(ToolPin).max(SERVER_TOOLS_MAX);

/** Visible ASCII: characters that a header may hold without splitting the message. */
const secret = text(1, SERVER_CREDENTIAL_CHARS_MAX).refine(
  (value) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value),
  'must be printable ASCII characters without a blank at either end',
);

/** Headers that the connection sets itself, or that would change where a request goes. */
const RESERVED_HEADERS =
  /^(?:host|content-.*|transfer-encoding|connection|upgrade|te|trailer|expect|accept|cookie|proxy-.*|mcp-.*|last-event-id)$/i;

const headerName = text(1, SERVER_HEADER_NAME_CHARS_MAX)
  .refine((value) => /^[A-Za-z0-9-]+$/.test(value), 'must be the name of a header: letters, digits and hyphens')
  .refine((value) => !RESERVED_HEADERS.test(value), 'must not be a header that the connection sets itself');

export const ServerCredential = z
  .strictObject({
    kind: z.enum(['bearer', 'header']).describe('bearer: sent as Authorization: Bearer. header: sent in a header.'),
    name: headerName.optional().describe('With header: the name of the header.'),
    value: secret,
  })
  .superRefine(({ kind, name }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['name'], message, input: name });
    if (kind === 'header' && name === undefined) refuse('is required when kind is header');
    if (kind === 'bearer' && name !== undefined) refuse('must be left out when kind is bearer');
  });
export type ServerCredential = z.infer<typeof ServerCredential>;

/** Checks the form of an address. The host behind it is checked when a connection is opened. */
export const ServerUrl = text(1, SERVER_URL_CHARS_MAX).superRefine((value, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message, input: value });
  if (!URL.canParse(value)) return refuse('must be a complete address such as https://mcp.example.com/mcp');
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('must start with https://');
  if (url.username !== '' || url.password !== '')
    return refuse('must not contain a user name or a password; give them as the credential');
  if (url.hash !== '') refuse('must not contain a fragment');
});

/**
 * The content of `sealed` in a server's events, under the server's own key, which is destroyed when the server is
 * removed.
 */
export const ServerSecrets = z.strictObject({
  url: z.string(),
  credential: z
    .strictObject({ kind: z.enum(['bearer', 'header']), name: z.string().optional(), value: z.string() })
    .optional(),
});
export type ServerSecrets = z.infer<typeof ServerSecrets>;

const MASK = '***';

/**
 * The address as shown to an admin: some services take their secret as a parameter, so all parameter values are masked.
 */
export const shownServerUrl = (given: string): string => {
  const url = new URL(given);
  if (url.search === '') return given;
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, MASK);
  return url.href;
};
