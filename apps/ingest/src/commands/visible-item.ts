import { readerOf, readerSql, readerValues, visibleItems } from '@cairn/access';
import type { Principal, Surface } from '@cairn/contracts';
import { databaseError, queryNamed } from '@cairn/persistence';
import type { Pool } from 'pg';

const IS_VISIBLE = `select 1 ${visibleItems(readerSql(1))} and i.id = $5`;

/** Whether the caller may see the item where it is now. */
export const isVisible = async (
  pool: Pool,
  principal: Principal,
  surface: Surface,
  itemId: string,
): Promise<boolean> => {
  const values = [...readerValues(readerOf(principal, surface)), itemId];
  const { rowCount } = await queryNamed(pool, IS_VISIBLE, values).catch((thrown: unknown) => {
    throw databaseError(thrown);
  });
  return rowCount !== 0;
};
