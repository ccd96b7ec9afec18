import type { Placed, Tier } from '@cairn/contracts';
import type { FolderReader, Reader } from './reader.js';

/** Where a thing is within its workspace. A folder, and a hit that search finds in the knowledge base only, have no `inKb`. */
export interface Place {
  readonly folderId: string;
  readonly tier: Tier | undefined;
  readonly inKb?: boolean | undefined;
}

/** A folder of unknown tier counts as sensitive: what is missing closes access. */
export const isSensitive = (tier: Tier | undefined): boolean => (tier ?? 'sensitive') === 'sensitive';

export const listsFolder = ({ folderIds }: Pick<FolderReader, 'folderIds'>, folderId: string | undefined): boolean =>
  folderIds === null || (folderId !== undefined && folderIds.includes(folderId));

export const seesTier = ({ seesSensitive }: Pick<FolderReader, 'seesSensitive'>, tier: Tier | undefined): boolean =>
  seesSensitive || !isSensitive(tier);

export const seesInKb = ({ kbOnly }: Pick<Reader, 'kbOnly'>, inKb: boolean): boolean => inKb || !kbOnly;

/** Whether the reader may see what is at this place of its own workspace. `visible.sql.ts` states the same rule in SQL. */
export const sees = (reader: Reader, { folderId, tier, inKb = true }: Place): boolean =>
  listsFolder(reader, folderId) && seesTier(reader, tier) && seesInKb(reader, inKb);

/** A thing of an answer. A hit of a search has no `inKb`: search finds nothing outside the knowledge base. */
export interface PlacedThing extends Placed {
  readonly inKb?: boolean;
}

/** Whether the reader may see a thing that names its workspace and tier itself; one that does not is hidden. */
export const seesPlaced = (reader: Reader, { folderId, placement, inKb }: PlacedThing): boolean =>
  placement?.workspaceId === reader.workspaceId && sees(reader, { folderId, tier: placement.tier, inKb });
