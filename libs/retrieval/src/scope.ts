import { hasScope, type Principal } from '@cairn/contracts';

/** Where a principal may look. Whatever is missing closes access. */
export interface SearchScope {
  readonly workspaceId: string;
  /** null is the whole library, only ever by an explicit `isUnscoped`. */
  readonly folderIds: readonly string[] | null;
  readonly seesSensitive: boolean;
}

export type Surface = 'mcp' | 'rest';

/** Sensitive folders come back through no MCP tool, and elsewhere only to an admin. */
export const searchScope = (principal: Principal, surface: Surface): SearchScope => ({
  workspaceId: principal.workspaceId,
  folderIds: principal.isUnscoped ? null : principal.folderIds,
  seesSensitive: surface === 'rest' && hasScope(principal, 'admin'),
});

/** A token without folders sees nothing, and need not ask. */
export const isClosed = (scope: SearchScope): boolean => scope.folderIds?.length === 0;

/** What a search asks of the chunks themselves. */
export interface ChunkFilter {
  readonly includeSuperseded: boolean;
  readonly includeExpired: boolean;
  /** All of them must be on the item. */
  readonly tags: readonly string[];
}

export const CURRENT_CHUNKS: ChunkFilter = { includeSuperseded: false, includeExpired: false, tags: [] };
