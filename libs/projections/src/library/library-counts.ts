/**
 * Statements that remove or move rows and update the counts of their folders: items, chunks and tokens in the knowledge
 * base. Each computes its difference from the current rows, so that applying it again changes nothing. Added rows are
 * counted where they are inserted, in library-rows.ts.
 */

/** `which` is SQL about `library.chunks`, such as `item_id = $1`. */
export const deleteChunks = (schema: string, which: string): string =>
  `with gone as (delete from ${schema}.chunks where ${which} returning folder_id, tokens)
   update ${schema}.folders f
   set chunk_count = f.chunk_count - counted.n, token_count = f.token_count - counted.tokens
   from (select folder_id, count(*) as n, sum(tokens) as tokens from gone group by folder_id) counted
   where f.id = counted.folder_id`;

/** Runs before the chunks of item $1 move to folder $2. */
export const countMovedChunks = (schema: string): string =>
  `update ${schema}.folders f
   set chunk_count = f.chunk_count + case when f.id = $2 then moved.n else -moved.n end,
     token_count = f.token_count + case when f.id = $2 then moved.tokens else -moved.tokens end
   from (
     select folder_id, count(*) as n, sum(tokens) as tokens from ${schema}.chunks where item_id = $1 group by folder_id
   ) moved
   where f.id in ($2, moved.folder_id) and moved.folder_id <> $2`;

/** Runs before chunk $1 gets its new text of $2 tokens. */
export const countCorrectedChunk = (schema: string): string =>
  `update ${schema}.folders f set token_count = f.token_count + $2::int - c.tokens
   from ${schema}.chunks c where c.id = $1 and f.id = c.folder_id`;

/** Places item $1 in folder $2, inside or outside the knowledge base ($3), with its meta ($4), changed at $5. */
export const placeItem = (schema: string): string =>
  `with previous as (
     select folder_id, in_kb from ${schema}.items where id = $1 and (folder_id, in_kb) is distinct from ($2::uuid, $3::boolean)
   ), placed as (
     update ${schema}.items set folder_id = $2, in_kb = $3, meta = $4, updated_at = $5 where id = $1
   )
   update ${schema}.folders f
   set item_count = f.item_count + (f.id = $2 and $3)::int - (f.id = p.folder_id and p.in_kb)::int
   from previous p where f.id in ($2, p.folder_id)`;
