import type { Principal } from '@cairn/contracts';
import { databaseError, queryNamed } from '@cairn/persistence';
import { searchScope, visibleItems, type Surface } from '@cairn/retrieval';
import type { Pool } from 'pg';

const IS_VISIBLE = `select 1 ${visibleItems({ workspace: '$1', folders: '$2', seesSensitive: '$3', kbOnly: '$4' })} and i.id = $5`;

/** Whether the caller may see the item where it is now. */
export const isVisible = async (
  pool: Pool,
  principal: Principal,
  surface: Surface,
  itemId: string,
): Promise<boolean> => {
  const { workspaceId, folderIds, seesSensitive } = searchScope(principal, surface);
  const values = [workspaceId, folderIds, seesSensitive, principal.kbOnly, itemId];
  const { rowCount } = await queryNamed(pool, IS_VISIBLE, values).catch((thrown: unknown) => {
    throw databaseError(thrown);
  });
  return rowCount !== 0;
};
