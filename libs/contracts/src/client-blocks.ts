/** The text that a person pastes to connect an MCP client, in the form that this client accepts. */
export interface ClientBlock {
  /** The name on the command line. */
  readonly id: string;
  readonly name: string;
  readonly steps: readonly ClientStep[];
}

export interface ClientStep {
  /** Where the text goes. */
  readonly where: string;
  readonly text: string;
}

interface Connection {
  readonly mcpUrl: string;
  readonly token: string;
}

type Client = Omit<ClientBlock, 'steps'> & { readonly stepsFor: (connection: Connection) => readonly ClientStep[] };

/** Placeholders in `CLIENT_TEMPLATES` that the reader fills in. */
export const MCP_URL_PLACEHOLDER = '<MCP_URL>';
export const TOKEN_PLACEHOLDER = '<TOKEN>';

const SERVER = 'cairn';
/** Codex accepts no token in its file, only the name of a variable. */
const TOKEN_VARIABLE = 'CAIRN_AGENT_TOKEN';

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const headersWith = (token: string) => ({ Authorization: `Bearer ${token}` });

/** `mcp-remote` refuses plain HTTP to another machine without a flag, which does no harm elsewhere. */
const mayBePlainAndRemote = (mcpUrl: string): boolean =>
  (mcpUrl === MCP_URL_PLACEHOLDER || mcpUrl.startsWith('http:')) &&
  !/^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(mcpUrl);

/**
 * No argument contains a space: Claude Desktop on Windows would split it there. `mcp-remote` substitutes the variable.
 */
const bridgeTo = ({ mcpUrl, token }: Connection) => ({
  command: 'npx',
  args: [
    ...['-y', 'mcp-remote', mcpUrl, '--header', 'Authorization:${AUTH}'],
    ...(mayBePlainAndRemote(mcpUrl) ? ['--allow-http'] : []),
  ],
  env: { AUTH: `Bearer ${token}` },
});

const curlCall = ({ mcpUrl, token }: Connection): string =>
  [
    `curl -s '${mcpUrl}' -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\`,
    `  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}'`,
  ].join('\n');

const CLIENTS: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    stepsFor: ({ mcpUrl, token }) => [
      {
        where: 'Run',
        text: `claude mcp add --transport http --scope user ${SERVER} "${mcpUrl}" --header "Authorization: Bearer ${token}"`,
      },
    ],
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    stepsFor: (connection) => [
      {
        where: 'Add to claude_desktop_config.json (Settings, Developer, Edit Config)',
        text: json({ mcpServers: { [SERVER]: bridgeTo(connection) } }),
      },
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    stepsFor: ({ mcpUrl, token }) => [
      {
        where: 'Add to ~/.cursor/mcp.json',
        text: json({ mcpServers: { [SERVER]: { url: mcpUrl, headers: headersWith(token) } } }),
      },
    ],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    stepsFor: ({ mcpUrl, token }) => [
      {
        where: 'Add to mcp.json (command "MCP: Open User Configuration"), or to .vscode/mcp.json of a project',
        text: json({ servers: { [SERVER]: { type: 'http', url: mcpUrl, headers: headersWith(token) } } }),
      },
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    stepsFor: ({ mcpUrl, token }) => [
      {
        where: 'Add to ~/.codex/config.toml',
        text: [`[mcp_servers.${SERVER}]`, `url = "${mcpUrl}"`, `bearer_token_env_var = "${TOKEN_VARIABLE}"`].join('\n'),
      },
      { where: 'Set in the shell that starts Codex', text: `export ${TOKEN_VARIABLE}='${token}'` },
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    stepsFor: ({ mcpUrl, token }) => [
      {
        where: 'Add to ~/.gemini/settings.json',
        text: json({ mcpServers: { [SERVER]: { httpUrl: mcpUrl, headers: headersWith(token) } } }),
      },
    ],
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    stepsFor: ({ mcpUrl, token }) => [
      {
        where: 'Add to ~/.codeium/windsurf/mcp_config.json',
        text: json({ mcpServers: { [SERVER]: { serverUrl: mcpUrl, headers: headersWith(token) } } }),
      },
    ],
  },
  { id: 'curl', name: 'curl', stepsFor: (connection) => [{ where: 'Run', text: curlCall(connection) }] },
];

export const clientBlocks = (connection: Connection): readonly ClientBlock[] =>
  CLIENTS.map(({ id, name, stepsFor }) => ({ id, name, steps: stepsFor(connection) }));

/** The blocks for a reader who fills in address and token, as the console does. */
export const CLIENT_TEMPLATES: readonly ClientBlock[] = clientBlocks({
  mcpUrl: MCP_URL_PLACEHOLDER,
  token: TOKEN_PLACEHOLDER,
});

/** For a terminal. */
export const blockLines = ({ name, steps }: ClientBlock): string[] =>
  steps.flatMap(({ where, text }) => [`${name}: ${where}`, '', ...text.split('\n').map((line) => `  ${line}`), '']);
