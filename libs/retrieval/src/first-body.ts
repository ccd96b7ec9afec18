import { UNTITLED_KINDS } from '@cairn/contracts';
import { openText } from '@cairn/vault';
import type { KeyOpener } from './winners.js';

/** The first chunk that an item has left; null where its title need not be taken from it, or it stands in the row itself. */
export interface FirstBody {
  readonly first_id: string | null;
  readonly first_text: Buffer | null;
  readonly first_key: Buffer | null;
}

/** The kinds of item that may have no title, as a list in SQL. */
export const UNTITLED_KIND_LIST = UNTITLED_KINDS.map((kind) => `'${kind}'`).join(', ');

export const FIRST_BODY_COLUMNS = 'first.first_id, first.first_text, first.first_key';

/**
 * A `left join lateral` of that chunk, for the kinds of item that may have no title. `before` is an expression of the
 * ordinal of the chunk that the row holds: the first one is then not loaded twice.
 */
export const joinFirstBody = (item: string, before?: string): string => `left join lateral (
      select o.chunk_id as first_id, o.text as first_text, o.wrapped_key as first_key
        from library.bodies o
        where ${item}.kind in (${UNTITLED_KIND_LIST})
          and o.item_id = ${item}.id${before === undefined ? '' : `\n          and o.ordinal < ${before}`}
        order by o.ordinal
        limit 1
    ) first on true`;

export const firstTextOf = (
  vault: KeyOpener,
  workspaceId: string,
  { first_id: id, first_text: text, first_key: key }: FirstBody,
): string | undefined =>
  id === null ? undefined : openText(vault.unwrap(workspaceId, id, key!), workspaceId, id, text!);
