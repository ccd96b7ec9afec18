import type { Placed, Tier } from '@cairn/contracts';
import type { FolderReader, Reader } from './reader.js';

/**
 * Where a thing is within its workspace. A folder has no `inKb`, and neither does a search hit, which is always in the
 * knowledge base.
 */
export interface Place {
  readonly folderId: string;
  readonly tier: Tier | undefined;
  readonly inKb?: boolean | undefined;
}

/** A folder of unknown tier counts as sensitive: a missing value denies access. */
export const isSensitive = (tier: Tier | undefined): boolean => (tier ?? 'sensitive') === 'sensitive';

export const listsFolder = ({ folderIds }: Pick<FolderReader, 'folderIds'>, folderId: string | undefined): boolean =>
  folderIds === null || (folderId !== undefined && folderIds.includes(folderId));

export const seesTier = ({ seesSensitive }: Pick<FolderReader, 'seesSensitive'>, tier: Tier | undefined): boolean =>
  seesSensitive || !isSensitive(tier);

export const seesInKb = ({ kbOnly }: Pick<Reader, 'kbOnly'>, inKb: boolean): boolean => inKb || !kbOnly;

/**
 * Whether the reader may see a thing at this place in its own workspace. `visible.sql.ts` states the same rule in SQL.
 */
export const sees = (reader: Reader, { folderId, tier, inKb = true }: Place): boolean =>
  listsFolder(reader, folderId) && seesTier(reader, tier) && seesInKb(reader, inKb);

/** A thing in an answer. A search hit has no `inKb`: search finds nothing outside the knowledge base. */
export interface PlacedThing extends Placed {
  readonly inKb?: boolean;
}

/** Whether the reader may see a thing that carries its own workspace and tier; a thing without them is hidden. */
export const seesPlaced = (reader: Reader, { folderId, placement, inKb }: PlacedThing): boolean =>
  placement?.workspaceId === reader.workspaceId && sees(reader, { folderId, tier: placement.tier, inKb });
