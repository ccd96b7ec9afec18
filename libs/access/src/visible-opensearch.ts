import type { FolderReader } from './reader.js';

const NOT_EXPIRED = {
  bool: {
    should: [{ bool: { must_not: { exists: { field: 'expiresAt' } } } }, { range: { expiresAt: { gt: 'now' } } }],
  },
};

/**
 * The rule of `visible.ts` as OpenSearch filters; every document in the index belongs to the knowledge base.
 * `folderIds` are the folders that the database reported as visible: the index does not hold tiers, because a tier
 * changes without any document being written.
 */
export const visibleDocuments = ({ workspaceId }: FolderReader, folderIds: readonly string[]) => [
  { term: { workspaceId } },
  { terms: { folderId: [...folderIds] } },
  { term: { superseded: false } },
  NOT_EXPIRED,
];
