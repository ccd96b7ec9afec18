import { isCurrent, itemIsVisible } from '@cairn/access';
import { FIRST_BODY_COLUMNS, joinFirstBody } from './first-body.sql.js';
import { define, NESTED_LOOPS, READER, READER_SQL } from './sql-function.js';

/** What a winner is returned with. */
export const WINNER_COLUMNS = `chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, tier text, text bytea,
  chunk_key bytea, title text, meta bytea, item_key bytea, first_id uuid, first_text bytea, first_key bytea`;

/**
 * The winning chunks with everything that a hit shows. Visibility is checked again on the item itself, and so is
 * whether the chunk is current. The first chunk of an item has the title next to it. The others need the item's own
 * sealed title, or the first chunk if the title is derived from it.
 */
export const winningChunks = define(
  'winning_chunks',
  `p_chunks uuid[], ${READER}`,
  [NESTED_LOOPS],
  `
begin
  return query
  select c.id, i.id, i.folder_id, i.workspace_id, f.tier, b.text, b.wrapped_key, c.title,
         case when c.title is null then i.meta end, case when c.title is null then i.wrapped_key end,
         ${FIRST_BODY_COLUMNS}
    from unnest(p_chunks) as wanted (id)
    join library.chunks c on c.id = wanted.id
    join library.bodies b on b.chunk_id = c.id
    join library.items i on i.id = c.item_id
    join library.folders f on f.id = i.folder_id
    ${joinFirstBody('i', 'b.ordinal')}
    where ${itemIsVisible('i', 'f', READER_SQL)}
      and ${isCurrent('c')};
end`,
  `table (
  ${WINNER_COLUMNS}
)`,
);
