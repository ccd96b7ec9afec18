// The reference pages, each generated from the values that the code itself uses.
import {
  EVENTS,
  ERROR_KINDS,
  ERROR_TABLE,
  fail,
  httpStatusOf,
  ItemMeta,
  OpEnvelope,
  VectorMessage,
} from '@cairn/contracts';
import { RESOURCE_TEMPLATES, TOOLS } from '@cairn/mcp-tools';
import { code, fieldRows, fieldsOf, jsonSchema, NOTE, table } from './gen-docs-markdown.mjs';

export const eventsPage = () => {
  const overview = EVENTS.map(({ type, version, kind, noun }) => [
    `\`${type}\``,
    version,
    `\`${kind}\``,
    `\`oplog.<workspaceId>.${noun}\``,
  ]);
  const details = EVENTS.map(
    ({ type, version, schema }) => `### \`${type}\` v${version}\n\n${fieldsOf(schema, 'output')}`,
  );
  return `# Events

${NOTE} \`kind\` is the word that the op-log API shows beside the type.

${table(['type', 'version', 'kind', 'subject'], overview)}

## The envelope

${fieldsOf(OpEnvelope, 'output')}

## Data by type

Fields of type base64 are sealed: AES-256-GCM as nonce, ciphertext, tag.

${details.join('\n\n')}

## What \`meta\` seals

${fieldsOf(ItemMeta, 'output')}

## Messages of VECTORS

\`vector\` is null where the model refused the text for good.

${fieldsOf(VectorMessage, 'output')}
`;
};

export const errorsPage = () => {
  const codes = /** @type {(keyof typeof ERROR_KINDS)[]} */ (Object.keys(ERROR_KINDS));
  const rows = codes.map((name) => [
    code(name),
    ERROR_KINDS[name],
    httpStatusOf(fail(name, '')),
    ERROR_TABLE[ERROR_KINDS[name]].retry ? 'yes' : 'no',
  ]);
  const kinds = Object.entries(ERROR_TABLE).map(([kind, { httpStatus, retry, logLevel }]) => [
    kind,
    httpStatus,
    retry ? 'yes' : 'no',
    logLevel,
  ]);
  return `# Errors

${NOTE} The kind, not the call site, decides what happens next. A REST error is
\`{"error": {code, message, field?, limit?, correlationId}}\`; a tool error is a result with \`isError: true\` and
\`structuredContent: {code, message, retry, …}\`. One tool answers with
errors of JSON-RPC instead, as its specification says: \`search_knowledge_base\`, with -32602 for arguments, -32603 when search or
the embedder is unavailable, and -32605 with \`retry_after_sec\` in its data over the rate limit.

## Kinds

${table(['kind', 'HTTP status', 'worth a retry', 'log level'], kinds)}

## Codes

${table(['code', 'kind', 'HTTP status', 'worth a retry'], rows)}
`;
};

/** @param {{ name: string, help: string, labelNames?: string[] }[]} metrics */
export const metricsPage = (metrics) => {
  const rows = metrics
    .filter(({ name }) => name.startsWith('cairn_'))
    .map(({ name, labelNames = [], help, constructor }) => [
      `\`${name}\``,
      constructor.name.toLowerCase(),
      labelNames.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
  return `# Metrics

${NOTE} Served as \`GET /metrics\` in Prometheus' format, by each process on its ops port
(\`CAIRN_OPS_PORT\`) and by a standalone on a loopback address on its own port, together with the process metrics of prom-client. Labels are bounded enums, never an id or a workspace.

${table(['name', 'type', 'labels', 'meaning'], rows)}
`;
};

const ARGUMENT_HEAD = ['argument', 'type', 'required', 'default', 'meaning'];

/** @param {typeof TOOLS[number]} tool */
const toolSection = ({ name, description, scope, toolset, annotations, inputSchema, output }) => {
  const hints = Object.entries(annotations).map(([hint, value]) => `${hint} ${String(value)}`);
  return `## \`${name}\`

${description}

Scope \`${scope}\`, toolset \`${toolset}\`, ${hints.join(', ')}.

${table(ARGUMENT_HEAD, fieldRows(inputSchema, { withMeaning: true }))}

Answer (\`structuredContent\`):

${table(['field', 'type', 'always there'], fieldRows(jsonSchema(output, 'output')))}`;
};

export const toolsPage = () => {
  const overview = TOOLS.map(({ name, title, scope, toolset }) => [
    `[\`${name}\`](#${name})`,
    title,
    `\`${scope}\``,
    `\`${toolset}\``,
  ]);
  const resources = RESOURCE_TEMPLATES.map(({ uriTemplate, description, scopes }) => [
    `\`${uriTemplate}\``,
    description,
    scopes.map((scope) => `\`${scope}\``).join(' or '),
  ]);
  return `# MCP tools

${NOTE} A token sees the tools of its toolsets and scopes; \`admin\` implies every scope. Unknown arguments are refused.
Each answer comes as text and as \`structuredContent\`. The text of \`search_knowledge_base\`, \`search_knowledge\`, \`list_recent\` and
\`recall\` is followed by a second one that names the id of each entry and what takes it; there is none when nothing was found.

${table(['tool', 'title', 'scope', 'toolset'], overview)}

${TOOLS.map(toolSection).join('\n\n')}

## Resources

${table(['URI', 'what it is', 'scope'], resources)}
`;
};
