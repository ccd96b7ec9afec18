import { describe, expect, it } from '@jest/globals';
import { welcome, type WelcomeOptions } from './welcome.js';

const admin = { file: '/home/admin-token', isGood: true };
const agent = { file: '/home/agent-token', isGood: true };
const [ADMIN, AGENT, CODE] = ['cairn_admin', 'cairn_agent', 'a-sign-in-code'];
const first = { admin: { ...admin, made: ADMIN }, agent: { ...agent, made: AGENT } };

const print = (options: Partial<WelcomeOptions>): string =>
  welcome({
    url: 'http://127.0.0.1:7480',
    tokens: { admin, agent },
    isTerminal: true,
    signInCode: undefined,
    command: 'npx cairn',
    ...options,
  });

describe('the output of a start', () => {
  it('shows the admin token, a sign-in link and configuration with the agent token at the first start on a terminal', () => {
    const printed = print({ tokens: first, signInCode: CODE });
    expect(printed).toContain(`  Admin token  ${ADMIN}\n`);
    expect(printed).toContain(`/#code=${CODE}`);
    for (const client of ['Claude Desktop', 'Claude Code', 'Cursor', 'curl'])
      expect(printed).toContain(`\n${client}: `);
    expect(printed.split(ADMIN)).toHaveLength(2);
    expect(printed.split(AGENT)).toHaveLength(5);
  });

  it('names the files instead of showing secrets when the output goes to a file or a pipe', () => {
    const printed = print({ tokens: first, isTerminal: false });
    for (const secret of [ADMIN, AGENT]) expect(printed).not.toContain(secret);
    for (const file of [admin.file, agent.file]) expect(printed).toContain(`in ${file}`);
    expect(printed).toContain('npx cairn link');
    expect(printed).toContain('npx cairn connect <client>');
    expect(printed).toContain(`Bearer <token in ${agent.file}>`);
  });

  it('explains at every start how to connect each client', () => {
    for (const name of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Codex', 'Gemini CLI', 'Windsurf'])
      expect(print({})).toContain(name);
  });

  it('shows the configuration without the admin token when only the agent token is new', () => {
    const printed = print({ tokens: { admin, agent: first.agent } });
    expect(printed).toContain(`in ${admin.file}`);
    expect(printed).toContain(AGENT);
  });

  it('explains how to replace a revoked token, and offers no sign-in with it', () => {
    const printed = print({ tokens: { admin: { ...admin, isGood: false }, agent } });
    expect(printed).toContain(`${admin.file} was revoked or has expired;\n`);
    expect(printed).toContain('delete that file and start again');
    expect(printed).not.toContain('cairn link');
  });
});
