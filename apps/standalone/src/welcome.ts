import { blockLines, CLIENT_TEMPLATES, clientBlocks, SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';
import type { HomeToken, HomeTokens } from './home-tokens.js';

export interface WelcomeOptions {
  readonly url: string;
  readonly tokens: HomeTokens;
  /** A person reads this at a terminal. A file or a pipe may be read by others later, so it gets no secret. */
  readonly isTerminal: boolean;
  /** Signs in to the console once. */
  readonly signInCode: string | undefined;
  /** The command line for this home. */
  readonly command: string;
}

/** Shown in full at the first start; `cairn connect` prints the others. */
const FIRST_CLIENTS = ['claude-desktop', 'claude-code', 'cursor', 'curl'];

const row = (name: string, ...lines: readonly string[]): string[] =>
  lines.map((line, i) => `  ${(i === 0 ? name : '').padEnd(13)}${line}`);

const signInRows = ({ url, signInCode, command, tokens }: WelcomeOptions): string[] => {
  if (!tokens.admin.isGood) return [];
  if (signInCode === undefined) return row('Sign in', `${command} link   (prints a link to the console)`);
  // The code is in the fragment, which a browser does not send, so it reaches no access log and no Referer header.
  const life = `(opens the console; works once, within ${SIGN_IN_CODE_LIFE_MS / 60_000} minutes)`;
  return row('Sign in', `${url}/#code=${signInCode}`, life);
};

const fileRows = (name: string, { file, isGood }: HomeToken, note: string): string[] =>
  isGood
    ? row(name, `in ${file}   (${note})`)
    : row(name, `the one in ${file} was revoked or has expired;`, 'delete that file and start again to get a new one');

const ADMIN_NOTE = 'for you, not for agents';
const AGENT_NOTE = 'all tools, no administration';

const tokenRows = ({ tokens: { admin, agent }, isTerminal }: WelcomeOptions): string[] => [
  ...(admin.made !== undefined && isTerminal
    ? row('Admin token', admin.made, `(${ADMIN_NOTE}; shown once, kept in ${admin.file})`)
    : fileRows('Admin token', admin, ADMIN_NOTE)),
  ...fileRows('Agent token', agent, AGENT_NOTE),
];

const connectRows = ({ command }: WelcomeOptions): string[] =>
  row('Connect', `${command} connect <client>`, `(${CLIENT_TEMPLATES.map(({ name }) => name).join(', ')})`);

/** Ready to paste, if this start created the agent token. Without a terminal, its file is named instead. */
const blocks = ({ url, tokens: { agent }, isTerminal }: WelcomeOptions): string[] => {
  if (agent.made === undefined) return [];
  const token = isTerminal ? agent.made : `<token in ${agent.file}>`;
  const all = clientBlocks({ mcpUrl: `${url}/mcp`, token });
  return FIRST_CLIENTS.flatMap((id) => blockLines(all.find((block) => block.id === id)!));
};

/**
 * The information a person needs after `npm start`. Secrets are shown once, at a terminal; later starts point to their
 * files.
 */
export const welcome = (options: WelcomeOptions): string =>
  [
    '',
    'Cairn is running. Ctrl-C stops it.',
    '',
    ...row('Console', `${options.url}/`),
    ...signInRows(options),
    ...row('MCP', `${options.url}/mcp`),
    ...row('REST', `${options.url}/api/v1   (described at ${options.url}/api/v1/docs)`),
    ...tokenRows(options),
    ...connectRows(options),
    '',
    ...blocks(options),
  ].join('\n');
