import { createHash } from 'node:crypto';
import {
  EXTERNAL_DESCRIPTION_CHARS_MAX,
  firstChars,
  SERVER_TOOL_NAME_CHARS_MAX,
  SERVER_TOOLS_MAX,
} from '@cairn/contracts';
import { neutralise } from '@cairn/mcp-tools';
import { canonicalJson } from './canonical-json.js';
import { listedName } from './listed-name.js';
import { shownSchema, type JsonObject } from './schema-hygiene.js';

/** A tool as its server describes it. All other fields are dropped. */
export interface GivenTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

/** A tool as offered after approval. */
export interface ExternalTool {
  /** Its own name at its server. */
  readonly name: string;
  readonly listedAs: string;
  /** The hash of the definition as given, before anything is neutralised; this hash is pinned. */
  readonly hash: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: true };
}

/** Covers the parts that a model reads or a call depends on; a change of any other part needs no approval. */
export const definitionHash = ({ name, description, inputSchema, annotations }: GivenTool): string =>
  createHash('sha256').update(canonicalJson({ name, description, inputSchema, annotations })).digest('hex');

const describe = (serverName: string, description: string): string => {
  const text = `[external: ${serverName}] ${neutralise(description)}`.trimEnd();
  return firstChars(text, EXTERNAL_DESCRIPTION_CHARS_MAX);
};

const isUsableName = (name: string): boolean =>
  name.length > 0 && name.length <= SERVER_TOOL_NAME_CHARS_MAX && neutralise(name) === name;

/** Undefined for a tool whose name or schema cannot be offered. */
export const externalTool = (serverName: string, given: GivenTool): ExternalTool | undefined => {
  const inputSchema = shownSchema(given.inputSchema);
  if (!inputSchema || !isUsableName(given.name)) return undefined;
  return {
    name: given.name,
    listedAs: listedName(serverName, given.name),
    hash: definitionHash(given),
    description: describe(serverName, given.description ?? ''),
    inputSchema,
    annotations: { readOnlyHint: given.annotations?.readOnlyHint === true, openWorldHint: true },
  };
};

/** The tools of a server sorted by name, each once, up to the bound. */
export const externalTools = (serverName: string, given: readonly GivenTool[]): ExternalTool[] => {
  const byName = new Map<string, ExternalTool>();
  for (const one of given) {
    const tool = externalTool(serverName, one);
    if (tool && !byName.has(tool.name)) byName.set(tool.name, tool);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, SERVER_TOOLS_MAX);
};
