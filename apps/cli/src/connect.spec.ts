import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { connectAction, type ConnectOptions } from './connect.actions.js';

const URL = 'http://127.0.0.1:7480';

describe('cairn connect', () => {
  const running = mkdtempSync(join(tmpdir(), 'cairn-connect-'));
  const empty = mkdtempSync(join(tmpdir(), 'cairn-connect-'));
  writeFileSync(join(running, 'run.json'), JSON.stringify({ url: URL }));
  writeFileSync(join(running, 'agent-token'), 'cairn_agent\n');
  writeFileSync(join(running, 'admin-token'), 'cairn_admin\n');
  afterAll(() => [running, empty].forEach((dir) => rmSync(dir, { recursive: true })));

  const printed = (client?: string, options: ConnectOptions = {}, env: Record<string, string> = {}): string => {
    const lines: string[] = [];
    const out = (line: string): void => void lines.push(line);
    const context = { env: { CAIRN_HOME: running, ...env }, out, err: out, exit: () => undefined };
    connectAction(context, client, options);
    return lines.join('\n');
  };

  it('lists the clients without an argument, whether Cairn runs or not', () => {
    const list = printed(undefined, {}, { CAIRN_HOME: empty });
    for (const name of [
      'Claude Code',
      'Claude Desktop',
      'Cursor',
      'VS Code',
      'Codex',
      'Gemini CLI',
      'Windsurf',
      'curl',
    ])
      expect(list).toMatch(new RegExp(`^[a-z-]+ +${name}$`, 'm'));
  });

  it('prints the block with the agent token of the home, never the admin token', () => {
    expect(printed('cursor')).toContain(`"url": "${URL}/mcp"`);
    expect(printed('cursor')).toContain('Bearer cairn_agent');
    for (const id of ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini', 'windsurf', 'curl'])
      expect(printed(id, {}, { CAIRN_TOKEN: 'cairn_admin' })).not.toContain('cairn_admin');
  });

  it('accepts another address and another token', () => {
    const block = printed('curl', { url: 'https://cairn.example.com/', token: 'cairn_other' }, { CAIRN_HOME: empty });
    expect(block).toContain(`curl -s 'https://cairn.example.com/mcp' -H 'Authorization: Bearer cairn_other'`);
  });

  it('prints JSON with --json', () => {
    expect(JSON.parse(printed('codex', { json: true }))).toMatchObject({ id: 'codex', steps: [{}, {}] });
  });

  it('rejects an unknown client and lists the known ones', () => {
    expect(() => printed('emacs')).toThrow('there is no client "emacs"; the clients are claude-code, claude-desktop,');
  });

  it('reports what is missing when Cairn is not running or the home has no agent token', () => {
    expect(() => printed('cursor', {}, { CAIRN_HOME: empty })).toThrow('no Cairn runs on');
    expect(() => printed('cursor', { url: URL }, { CAIRN_HOME: empty })).toThrow('give one with --token');
  });
});
