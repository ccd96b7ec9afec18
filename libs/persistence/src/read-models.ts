import { EntitySchema } from 'typeorm';

/**
 * The live `library` read model as TypeORM sees it. Flat, without relations. Only the listings go through these;
 * projections write and search reads with hand-written SQL, because batches and ranking need it.
 */
export interface WorkspaceRow {
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
  head: string;
  headHash: string;
}

export interface FolderRow {
  id: string;
  workspaceId: string;
  slug: string;
  name: string;
  tier: string;
  maxTokensPerRecall: number | null;
  readme: string;
  isDefault: boolean;
  chunkCount: number;
  createdAt: Date;
}

export interface TokenRow {
  id: string;
  workspaceId: string;
  secretHash: string;
  name: string;
  agentId: string;
  scopes: string[];
  isUnscoped: boolean;
  folderIds: string[];
  kbOnly: boolean;
  toolsets: string[];
  rateLimitPerHour: number | null;
  instanceAdmin: boolean;
  expiresAt: Date;
  revokedAt: Date | null;
  createdAt: Date;
}

const uuid = (name: string) => ({ name, type: 'uuid' as const });
const words = (name: string) => ({ name, type: 'text' as const });
const flag = (name: string) => ({ name, type: 'boolean' as const });
const time = (name: string, nullable = false) => ({ name, type: 'timestamptz' as const, nullable });
const count = (name: string, nullable = false) => ({ name, type: 'int' as const, nullable });

export const Workspaces = new EntitySchema<WorkspaceRow>({
  name: 'workspaces',
  schema: 'library',
  columns: {
    id: { type: 'uuid', primary: true },
    slug: words('slug'),
    name: words('name'),
    createdAt: time('created_at'),
    head: { name: 'head', type: 'bigint' },
    headHash: words('head_hash'),
  },
});

export const Folders = new EntitySchema<FolderRow>({
  name: 'folders',
  schema: 'library',
  columns: {
    id: { type: 'uuid', primary: true },
    workspaceId: uuid('workspace_id'),
    slug: words('slug'),
    name: words('name'),
    tier: words('tier'),
    maxTokensPerRecall: count('max_tokens_per_recall', true),
    readme: words('readme'),
    isDefault: flag('is_default'),
    chunkCount: count('chunk_count'),
    createdAt: time('created_at'),
  },
});

export const Tokens = new EntitySchema<TokenRow>({
  name: 'tokens',
  schema: 'library',
  columns: {
    id: { type: 'uuid', primary: true },
    workspaceId: uuid('workspace_id'),
    secretHash: words('secret_hash'),
    name: words('name'),
    agentId: words('agent_id'),
    scopes: { name: 'scopes', type: 'text', array: true },
    isUnscoped: flag('is_unscoped'),
    folderIds: { name: 'folder_ids', type: 'uuid', array: true },
    kbOnly: flag('kb_only'),
    toolsets: { name: 'toolsets', type: 'text', array: true },
    rateLimitPerHour: count('rate_limit_per_hour', true),
    instanceAdmin: flag('instance_admin'),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at', true),
    createdAt: time('created_at'),
  },
});

export const readModels = [Workspaces, Folders, Tokens];
