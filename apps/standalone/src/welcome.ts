import { SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';

export interface WelcomeOptions {
  readonly url: string;
  readonly mcpUrl: string;
  /** Shown once, when it is new. */
  readonly token?: string | undefined;
  /** Whether the token in the file is still good. */
  readonly isGood: boolean;
  readonly tokenFile: string;
  /** Signs somebody in to the console, once. */
  readonly signInCode: string | undefined;
}

const indent = (text: string): string => text.replace(/^/gm, '  ');

const clientConfig = (mcpUrl: string, token: string): string => {
  const server = { type: 'http', url: mcpUrl, headers: { Authorization: `Bearer ${token}` } };
  const bridge = { command: 'npx', args: ['-y', 'mcp-remote', mcpUrl, '--header', `Authorization: Bearer ${token}`] };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  return [
    'Claude Code:',
    indent(`claude mcp add --transport http cairn ${mcpUrl} --header "Authorization: Bearer ${token}"`),
    '',
    'Claude Desktop (claude_desktop_config.json):',
    indent(JSON.stringify({ mcpServers: { cairn: bridge } }, null, 2)),
    '',
    'Cursor (~/.cursor/mcp.json):',
    indent(JSON.stringify({ mcpServers: { cairn: { url: server.url, headers: server.headers } } }, null, 2)),
    '',
    'curl:',
    indent(
      [
        `curl -s ${mcpUrl} -H 'Authorization: Bearer ${token}' \\`,
        `  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\`,
        `  -d '${JSON.stringify(call)}'`,
      ].join('\n'),
    ),
  ].join('\n');
};

/** In the fragment, which a browser sends to nobody: no log and no Referer has it. */
const signInLink = (url: string, code: string): string[] => [
  `  Sign in  ${url}/#code=${code}`,
  `           (opens the console; works once, within ${SIGN_IN_CODE_LIFE_MS / 60_000} minutes)`,
];

/** What a person needs after `npm start`; the secret is shown once, later starts point to its file. */
export const welcome = ({ url, mcpUrl, token, isGood, tokenFile, signInCode }: WelcomeOptions): string => {
  const lines = [
    '',
    'Cairn is running.',
    '',
    `  Console  ${url}/`,
    ...(signInCode === undefined ? [] : signInLink(url, signInCode)),
    `  MCP      ${mcpUrl}`,
    `  REST     ${url}/api/v1   (described at ${url}/api/v1/docs)`,
  ];
  if (token === undefined && isGood) lines.push(`  Token    in ${tokenFile}`, '');
  else if (token === undefined)
    lines.push(
      `  Token    the one in ${tokenFile} was revoked or has expired;`,
      '           delete that file and start again to get a new one',
      '',
    );
  else
    lines.push(
      `  Token    ${token}`,
      `           (shown once; kept in ${tokenFile})`,
      '',
      clientConfig(mcpUrl, token),
      '',
    );
  return lines.join('\n');
};
