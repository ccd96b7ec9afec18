import { describe, expect, it } from '@jest/globals';
import { TOOLSETS, type CommandData, type TokenGrant } from '@cairn/contracts';
import { decideConfigureFolder, decideCreateFolder } from './folder.decider.js';
import { admin, aWorkspace, by, carriedOut, id, INBOX, NOTES, NOW_MS, scoped, WORKSPACE } from './given.builder.js';
import { EMPTY_STATE } from './state.js';
import { decideIssueToken, decideRevokeToken } from './token.decider.js';
import { decideCreateWorkspace } from './workspace.decider.js';

const grant: TokenGrant = {
  tokenId: id(20),
  secretHash: 'd'.repeat(64),
  name: 'A token',
  agentId: 'agent-a',
  scopes: ['read'],
  isUnscoped: false,
  folderIds: [NOTES],
  kbOnly: false,
  toolsets: [...TOOLSETS],
  rateLimitPerHour: null,
  expiresAt: '2027-01-01T00:00:00Z',
};

describe('creating a workspace', () => {
  const data: CommandData<'workspace.create'> = {
    workspaceId: WORKSPACE,
    slug: 'main',
    name: 'Main',
    folderId: INBOX,
    adminToken: { ...grant, folderIds: [], isUnscoped: true },
    instanceAdmin: true,
  };

  it('comes with its default folder and its admin token', () => {
    const { events, entityId } = decideCreateWorkspace(EMPTY_STATE, by(admin, data));
    expect(entityId).toBe(WORKSPACE);
    expect(events.map(({ type }) => type)).toEqual(['workspace.created', 'folder.created', 'token.issued']);
    expect(events[1]!.data).toMatchObject({ slug: 'inbox', isDefault: true });
    expect(events[2]!.data).toMatchObject({ tokenId: grant.tokenId, instanceAdmin: true });
  });

  it('appends nothing the second time', () => {
    expect(decideCreateWorkspace(aWorkspace, by(admin, data)).events).toEqual([]);
  });

  it('refuses a slug that another workspace uses', () => {
    const state = { ...EMPTY_STATE, workspaceSlugs: new Set(['main']) };
    expect(() => decideCreateWorkspace(state, by(admin, data))).toThrow(
      expect.objectContaining({ code: 'workspace.slug_taken', details: { field: 'slug' } }),
    );
  });
});

describe('folders', () => {
  const data: CommandData<'folder.create'> = {
    folderId: id(30),
    slug: 'papers',
    name: 'Papers',
    tier: 'public',
    maxTokensPerRecall: 100,
    readme: '',
  };

  it('are created, never as the default one', () => {
    const { events } = decideCreateFolder(aWorkspace, by(admin, data));
    expect(events).toEqual([{ type: 'folder.created', data: { ...data, isDefault: false } }]);
  });

  it('are created once', () => {
    const state = carriedOut(aWorkspace, decideCreateFolder(aWorkspace, by(admin, data)));
    expect(decideCreateFolder(state, by(admin, data))).toEqual({ events: [], entityId: data.folderId });
  });

  it('need a unique slug', () => {
    expect(() => decideCreateFolder(aWorkspace, by(admin, { ...data, slug: 'notes' }))).toThrow(
      expect.objectContaining({ code: 'folder.slug_taken' }),
    );
  });

  it('are configured field by field', () => {
    const change = { folderId: NOTES, tier: 'sensitive' as const };
    const decision = decideConfigureFolder(aWorkspace, by(admin, change));
    expect(decision.events).toEqual([{ type: 'folder.configured', data: change }]);
    expect(carriedOut(aWorkspace, decision).folders.get(NOTES)!.tier).toBe('sensitive');
  });

  it('are unchanged when nothing is to be changed', () => {
    expect(decideConfigureFolder(aWorkspace, by(admin, { folderId: NOTES })).events).toEqual([]);
  });

  it.each([
    ['does not exist', admin, id(404)],
    ['is outside the token', scoped(NOTES), INBOX],
  ])('cannot be configured when it %s', (_, principal, folderId) => {
    expect(() => decideConfigureFolder(aWorkspace, by(principal, { folderId, name: 'x' }))).toThrow(
      expect.objectContaining({ code: 'folder.not_found' }),
    );
  });
});

describe('tokens', () => {
  const issued = carriedOut(aWorkspace, decideIssueToken(aWorkspace, by(admin, grant)));

  it('are issued, but never as admin of the installation', () => {
    const { events } = decideIssueToken(aWorkspace, by(admin, grant));
    expect(events).toEqual([{ type: 'token.issued', data: { ...grant, instanceAdmin: false } }]);
  });

  it('are issued once', () => {
    expect(decideIssueToken(issued, by(admin, grant)).events).toEqual([]);
  });

  it('must name existing folders', () => {
    expect(() => decideIssueToken(aWorkspace, by(admin, { ...grant, folderIds: [NOTES, id(404)] }))).toThrow(
      expect.objectContaining({ code: 'folder.not_found', details: { field: 'folderIds[1]' } }),
    );
  });

  it('are for the whole workspace or for a list of folders, never for both', () => {
    expect(() => decideIssueToken(aWorkspace, by(admin, { ...grant, isUnscoped: true }))).toThrow(
      expect.objectContaining({ code: 'input.invalid', details: { field: 'folderIds' } }),
    );
  });

  it('may have no folder at all, which stays that way', () => {
    const { events } = decideIssueToken(aWorkspace, by(admin, { ...grant, folderIds: [] }));
    expect(events[0]!.data).toMatchObject({ isUnscoped: false, folderIds: [] });
  });

  it.each([[[]], [[NOTES]]])('with the scope admin are for the whole workspace (folders %j)', (folderIds) => {
    const half: TokenGrant = { ...grant, scopes: ['read', 'admin'], folderIds };
    expect(() => decideIssueToken(aWorkspace, by(admin, half))).toThrow(
      expect.objectContaining({ code: 'input.invalid', details: { field: 'isUnscoped' } }),
    );
    const whole: TokenGrant = { ...half, isUnscoped: true, folderIds: [] };
    expect(decideIssueToken(aWorkspace, by(admin, whole)).events).toHaveLength(1);
  });

  it('expire in the future', () => {
    const past = { ...grant, expiresAt: new Date(NOW_MS).toISOString() };
    expect(() => decideIssueToken(aWorkspace, by(admin, past))).toThrow(
      expect.objectContaining({ code: 'input.invalid', details: { field: 'expiresAt' } }),
    );
  });

  it('are revoked once', () => {
    const revocation = decideRevokeToken(issued, by(admin, { tokenId: grant.tokenId }));
    expect(revocation.events).toEqual([{ type: 'token.revoked', data: { tokenId: grant.tokenId } }]);
    const revoked = carriedOut(issued, revocation);
    expect(decideRevokeToken(revoked, by(admin, { tokenId: grant.tokenId })).events).toEqual([]);
  });

  it('cannot be revoked when there is no such token', () => {
    expect(() => decideRevokeToken(aWorkspace, by(admin, { tokenId: id(404) }))).toThrow(
      expect.objectContaining({ code: 'token.not_found' }),
    );
  });
});
