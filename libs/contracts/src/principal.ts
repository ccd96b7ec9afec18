import { z } from 'zod';
import type { Wire } from './answer.js';
import { AgentId, Uuid } from './text.js';

export const SCOPES = [
  'read',
  'write',
  'memory:read',
  'memory:write',
  'memory:forget',
  'knowledge:read',
  'knowledge:write',
  'graph:read',
  'graph:write',
  'external',
  'admin',
] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

export const TOOLSETS = ['knowledge_base', 'memory', 'knowledge', 'graph', 'external'] as const;
export const Toolset = z.enum(TOOLSETS);
export type Toolset = z.infer<typeof Toolset>;

export const TIERS = ['public', 'personal', 'sensitive'] as const;
export const Tier = z.enum(TIERS);
export type Tier = z.infer<typeof Tier>;

/**
 * The caller. Built once in the gateway from the bearer token, and sent with every command and query; a missing value
 * denies access.
 */
export const Principal = z.strictObject({
  workspaceId: Uuid,
  tokenId: Uuid,
  agentId: AgentId,
  scopes: z.array(Scope),
  isUnscoped: z.boolean(),
  folderIds: z.array(Uuid),
  kbOnly: z.boolean(),
  toolsets: z.array(Toolset),
  /** The first admin token of the installation may create workspaces. */
  instanceAdmin: z.boolean(),
});
export type Principal = Wire<typeof Principal>;

export const hasScope = (principal: Pick<Principal, 'scopes'>, scope: Scope): boolean =>
  principal.scopes.includes(scope) || principal.scopes.includes('admin');

/** An admin sees every folder, so the admin scope excludes a list of folders. */
export const isWorkspaceAdmin = (principal: Pick<Principal, 'scopes' | 'isUnscoped'>): boolean =>
  principal.isUnscoped && hasScope(principal, 'admin');

/** Startup and operator tools act as the installation itself, not as a token. */
export const SYSTEM_TOKEN_ID = '00000000-0000-0000-0000-000000000000';

export const systemPrincipal = (workspaceId: string): Principal => ({
  workspaceId,
  tokenId: SYSTEM_TOKEN_ID,
  agentId: 'cairn',
  scopes: ['admin'],
  isUnscoped: true,
  folderIds: [],
  kbOnly: false,
  toolsets: [...TOOLSETS],
  instanceAdmin: true,
});
