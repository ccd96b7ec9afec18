import { describe, expect, it } from '@jest/globals';
import { systemPrincipal, type Principal } from '@cairn/contracts';
import { reachOf, readerOf, seesNothing } from './reader.js';

const WORKSPACE = '11111111-1111-4111-8111-111111111111';
const FOLDER = '22222222-2222-4222-8222-222222222222';
const principal: Principal = {
  ...systemPrincipal(WORKSPACE),
  scopes: ['read'],
  isUnscoped: false,
  folderIds: [FOLDER],
};

describe('the reader of a principal', () => {
  it('sees the folders that the token lists', () => {
    expect(readerOf(principal, 'mcp')).toEqual({
      workspaceId: WORKSPACE,
      folderIds: [FOLDER],
      seesSensitive: false,
      kbOnly: false,
    });
  });

  it('sees every folder only with the explicit flag, regardless of the list', () => {
    const unscoped = readerOf({ ...principal, isUnscoped: true }, 'mcp');
    expect(unscoped.folderIds).toBeNull();
    expect(seesNothing(unscoped)).toBe(false);
  });

  it('sees nothing when the token lists no folder', () => {
    expect(seesNothing(readerOf({ ...principal, folderIds: [] }, 'mcp'))).toBe(true);
  });

  it('sees sensitive folders only as an admin, and never through MCP', () => {
    const admin: Principal = { ...principal, scopes: ['admin'] };
    expect([
      readerOf(admin, 'rest').seesSensitive,
      readerOf(admin, 'mcp').seesSensitive,
      readerOf(principal, 'rest').seesSensitive,
    ]).toEqual([true, false, false]);
  });

  it('sees only the knowledge base when the token is limited to it', () => {
    expect(readerOf({ ...principal, kbOnly: true }, 'rest').kbOnly).toBe(true);
  });
});

describe('the reach of a principal', () => {
  it('covers the sensitive folders of its list, for rules that handle those themselves', () => {
    expect(reachOf(principal)).toEqual({ ...readerOf(principal, 'mcp'), seesSensitive: true });
  });
});
