import { UNTITLED_KINDS } from '@cairn/contracts';

/** The first chunk of an item; null if the title is not derived from it, or if the row itself holds that chunk. */
export interface FirstBody {
  readonly first_id: string | null;
  readonly first_text: Buffer | null;
  readonly first_key: Buffer | null;
}

/** The kinds of item that may have no title, as a list in SQL. */
export const UNTITLED_KIND_LIST = UNTITLED_KINDS.map((kind) => `'${kind}'`).join(', ');

export const FIRST_BODY_COLUMNS = 'first.first_id, first.first_text, first.first_key';

/**
 * A `left join lateral` of that chunk, for the kinds of item that may have no title. `before` is a SQL expression for
 * the ordinal of the row's own chunk, so that the same chunk is not loaded twice.
 */
export const joinFirstBody = (item: string, before?: string): string => `left join lateral (
      select o.chunk_id as first_id, o.text as first_text, o.wrapped_key as first_key
        from library.bodies o
        where ${item}.kind in (${UNTITLED_KIND_LIST})
          and o.item_id = ${item}.id${before === undefined ? '' : `\n          and o.ordinal < ${before}`}
        order by o.ordinal
        limit 1
    ) first on true`;
