import { SERVER_APPROVALS, SERVER_TRANSPORTS, type RegisteredServer } from '@cairn/contracts';
import type { ExternalTool } from '@cairn/external-mcp';
import { z } from 'zod';
import type { SeenServer } from './tool-catalogue.js';
import { TOOL_STATES } from './tool-state.js';

export const ServerAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string().describe('The values of its parameters are masked.'),
  transport: z.enum(SERVER_TRANSPORTS),
  enabled: z.boolean(),
  approval: z.enum(SERVER_APPROVALS),
  state: z
    .enum(['connected', 'unavailable', 'disabled'])
    .describe('What the last discovery of this gateway has found; a disabled server is not connected to.'),
  era: z
    .enum(['stateless', 'initialize', 'sse'])
    .nullable()
    .describe('How the server is spoken to; null while that is not known.'),
  tools: z.array(
    z.object({
      name: z.string(),
      listedAs: z.string(),
      state: z
        .enum(TOOL_STATES)
        .describe('listed: as approved. withheld: changed or new since the approval. waiting: not approved yet.'),
    }),
  ),
  lastError: z.string().nullable().describe('Why the last discovery found nothing.'),
});
export type ServerAnswer = z.output<typeof ServerAnswer>;

/** A server as an admin sees it, without secrets, and with no text from the server except the names of its tools. */
export const serverView = (server: RegisteredServer, seen: SeenServer | undefined): ServerAnswer => {
  const { id, name, url, transport, enabled, approval } = server;
  const { discovery, error, tools = [] } = seen ?? {};
  return {
    id,
    name,
    url,
    transport,
    enabled,
    approval,
    state: enabled ? (discovery ? 'connected' : 'unavailable') : 'disabled',
    era: discovery?.era ?? null,
    tools: tools.map(({ tool, state }) => ({ name: tool.name, listedAs: tool.listedAs, state })),
    lastError: error ? `${error.code}: ${error.message}` : null,
  };
};

const definition = {
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.unknown()),
};

export const ServerToolAnswer = ServerAnswer.shape.tools.element.extend({
  wasApproved: z
    .boolean()
    .describe('A tool of this name was approved: one that is withheld all the same has changed since, and is not new.'),
  hash: z.string().describe('Of the definition as the server gave it; approve with it to approve what you have read.'),
  ...definition,
  approved: z
    .object(definition)
    .nullable()
    .describe('The definition that was approved, if it has changed since and this gateway still remembers it.'),
});
export type ServerToolAnswer = z.output<typeof ServerToolAnswer>;

const definitionOf = ({ description, inputSchema, annotations }: ExternalTool) => ({
  description,
  inputSchema,
  annotations,
});

/** The tool that a person reviews before approving it, as a model would see it. */
export const toolView = ({ tool, state, wasApproved, approved }: SeenServer['tools'][number]): ServerToolAnswer => {
  const { name, listedAs, hash } = tool;
  return {
    name,
    listedAs,
    state,
    wasApproved,
    hash,
    ...definitionOf(tool),
    approved: approved ? definitionOf(approved) : null,
  };
};
