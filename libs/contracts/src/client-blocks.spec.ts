import { describe, expect, it } from '@jest/globals';
import { blockLines, CLIENT_TEMPLATES, clientBlocks } from './client-blocks.js';

const MCP_URL = 'http://127.0.0.1:7480/mcp';
const TOKEN = 'cairn_secret';

const textsOf = (id: string, mcpUrl = MCP_URL): string[] =>
  clientBlocks({ mcpUrl, token: TOKEN })
    .find((block) => block.id === id)!
    .steps.map(({ text }) => text);
const jsonOf = (id: string, mcpUrl?: string) => JSON.parse(textsOf(id, mcpUrl)[0]!) as Record<string, any>;

const headers = { Authorization: `Bearer ${TOKEN}` };

describe('the blocks that connect a client', () => {
  it.each([
    ['cursor', { mcpServers: { cairn: { url: MCP_URL, headers } } }],
    ['vscode', { servers: { cairn: { type: 'http', url: MCP_URL, headers } } }],
    ['gemini', { mcpServers: { cairn: { httpUrl: MCP_URL, headers } } }],
    ['windsurf', { mcpServers: { cairn: { serverUrl: MCP_URL, headers } } }],
  ])('name address and token for %s in the fields that it reads', (id, expected) => {
    expect(jsonOf(id)).toEqual(expected);
  });

  it('give Claude Desktop a bridge without a space in any argument, because Windows would split there', () => {
    const { command, args, env } = jsonOf('claude-desktop')['mcpServers'].cairn;
    expect([command, env]).toEqual(['npx', { AUTH: `Bearer ${TOKEN}` }]);
    expect(args).toEqual(['-y', 'mcp-remote', MCP_URL, '--header', 'Authorization:${AUTH}']);
    expect(args.filter((arg: string) => arg.includes(' '))).toEqual([]);
  });

  it.each([
    ['http://localhost:7480/mcp', false],
    ['https://cairn.example.com/mcp', false],
    ['http://192.0.2.7:7480/mcp', true],
    ['http://localhost.example.com/mcp', true],
    ['<MCP_URL>', true],
  ])('allow the bridge plain HTTP to %s: %s', (mcpUrl, isAllowed) => {
    expect(jsonOf('claude-desktop', mcpUrl)['mcpServers'].cairn.args.includes('--allow-http')).toBe(isAllowed);
  });

  it('keep the token out of the Codex file, because Codex refuses one there', () => {
    const [toml, shell] = textsOf('codex');
    expect(toml).toBe(`[mcp_servers.cairn]\nurl = "${MCP_URL}"\nbearer_token_env_var = "CAIRN_AGENT_TOKEN"`);
    expect(shell).toBe(`export CAIRN_AGENT_TOKEN='${TOKEN}'`);
  });

  it('print each step under the name of its client, ready to be copied', () => {
    const block = clientBlocks({ mcpUrl: MCP_URL, token: TOKEN }).find(({ id }) => id === 'claude-code')!;
    expect(blockLines(block)).toEqual([
      'Claude Code: Run',
      '',
      `  claude mcp add --transport http --scope user cairn "${MCP_URL}" --header "Authorization: Bearer ${TOKEN}"`,
      '',
    ]);
  });

  it('have templates with placeholders for address and token', () => {
    for (const { steps } of CLIENT_TEMPLATES) {
      const all = steps.map(({ text }) => text).join();
      expect(all).toContain('<MCP_URL>');
      expect(all).toContain('<TOKEN>');
    }
  });
});
