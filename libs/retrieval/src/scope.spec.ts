import { describe, expect, it } from '@jest/globals';
import { systemPrincipal, type Principal } from '@cairn/contracts';
import { byItem } from './candidate.js';
import { isClosed, searchScope } from './scope.js';

const WORKSPACE = '11111111-1111-4111-8111-111111111111';
const FOLDER = '22222222-2222-4222-8222-222222222222';
const reader: Principal = { ...systemPrincipal(WORKSPACE), scopes: ['read'], isUnscoped: false, folderIds: [FOLDER] };

describe('the scope of a principal', () => {
  it('is its folder list', () => {
    expect(searchScope(reader, 'mcp')).toEqual({ workspaceId: WORKSPACE, folderIds: [FOLDER], seesSensitive: false });
  });

  it('is the whole library only by the explicit flag, whatever the list says', () => {
    expect(searchScope({ ...reader, isUnscoped: true }, 'mcp').folderIds).toBeNull();
    expect(isClosed(searchScope({ ...reader, isUnscoped: true }, 'mcp'))).toBe(false);
  });

  it('is nothing for a token without folders', () => {
    expect(isClosed(searchScope({ ...reader, folderIds: [] }, 'mcp'))).toBe(true);
  });

  it('holds sensitive folders only for an admin, and never through MCP', () => {
    const admin: Principal = { ...reader, scopes: ['admin'] };
    expect([
      searchScope(admin, 'rest').seesSensitive,
      searchScope(admin, 'mcp').seesSensitive,
      searchScope(reader, 'rest').seesSensitive,
    ]).toEqual([true, false, false]);
  });
});

describe('candidates by item', () => {
  it('rank an item as its best chunk', () => {
    const candidates = [
      { chunkId: 'a1', itemId: 'a', score: 0.4 },
      { chunkId: 'b1', itemId: 'b', score: 0.9 },
      { chunkId: 'a2', itemId: 'a', score: 0.8 },
    ];
    expect(byItem('vector', candidates).hits).toEqual([
      { id: 'a', score: 0.8 },
      { id: 'b', score: 0.9 },
    ]);
  });
});
