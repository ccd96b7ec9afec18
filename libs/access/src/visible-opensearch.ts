import type { FolderReader } from './reader.js';

const NOT_EXPIRED = {
  bool: {
    should: [{ bool: { must_not: { exists: { field: 'expiresAt' } } } }, { range: { expiresAt: { gt: 'now' } } }],
  },
};

/**
 * The rule of `visible.ts` as filters of OpenSearch, whose documents are all in the knowledge base. `folderIds` are the
 * folders that the database found to be visible: the index does not hold tiers, which change without a document being
 * written.
 */
export const visibleDocuments = ({ workspaceId }: FolderReader, folderIds: readonly string[]) => [
  { term: { workspaceId } },
  { terms: { folderId: [...folderIds] } },
  { term: { superseded: false } },
  NOT_EXPIRED,
];
