import { hasScope, type Principal, type Surface } from '@cairn/contracts';

/** Which folders a reader may see. A missing value denies access. */
export interface FolderReader {
  readonly workspaceId: string;
  /** null means every folder of the workspace, and is set only by an explicit `isUnscoped`. */
  readonly folderIds: readonly string[] | null;
  readonly seesSensitive: boolean;
}

/** Which items a reader may see: those of its folders, and with `kbOnly` only those in the knowledge base. */
export interface Reader extends FolderReader {
  readonly kbOnly: boolean;
}

/** No MCP tool returns anything of a sensitive folder, whatever the token's scopes; REST returns it to an admin only. */
export const readerOf = (principal: Principal, surface: Surface): Reader => ({
  ...reachOf(principal),
  seesSensitive: surface === 'rest' && hasScope(principal, 'admin'),
});

/**
 * The reader for a rule that handles sensitive folders itself, for example by answering "use the console". It sees
 * every folder on the token's list.
 */
export const reachOf = ({ workspaceId, isUnscoped, folderIds, kbOnly }: Principal): Reader => ({
  workspaceId,
  folderIds: isUnscoped ? null : folderIds,
  seesSensitive: true,
  kbOnly,
});

/** A token without folders sees nothing, so no store needs to be queried. */
export const seesNothing = ({ folderIds }: FolderReader): boolean => folderIds?.length === 0;
