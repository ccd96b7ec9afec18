import { folderReaderValues, type FolderReader } from '@cairn/access';
import {
  EntryFields,
  firstChars,
  shownTitle,
  SNIPPET_CHARS,
  type Placed,
  type Tier,
  type Wire,
} from '@cairn/contracts';
import { columnsOf, fieldNames, readRows, viewOf, type RowOf } from '@cairn/persistence';
import { NEIGHBOURS } from '@cairn/ranking';
import { openMeta, openText } from '@cairn/vault';
import type { Pool } from 'pg';
import type { KeyOpener } from './winners.js';

/** An item as shown in a hit. */
export interface Entry extends Placed, Wire<typeof EntryFields> {
  readonly itemId: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** The text around the first match of the words, or else the beginning. */
  readonly text: string;
}

export interface WantedEntry {
  readonly itemId: string;
  readonly hasWords: boolean;
}

interface EntryRow extends RowOf<typeof EntryFields> {
  readonly itemId: string;
  readonly folderId: string;
  readonly workspaceId: string;
  readonly tier: Tier;
  readonly meta: Buffer;
  readonly itemKey: Buffer;
  readonly chunkId: string;
  readonly text: Buffer;
  readonly chunkKey: Buffer;
  /**
   * 0 for the chunk of the first match, negative for chunks before it; the lowest is the first chunk of an untitled
   * item.
   */
  readonly step: number;
}

const SEALED = ['itemId', 'folderId', 'workspaceId', 'tier', 'meta', 'itemKey', 'chunkId', 'text', 'chunkKey', 'step'];

const ENTRIES = `select ${columnsOf('e', [...fieldNames(EntryFields), ...SEALED])}
  from retrieval.item_entries($1, $2, $3, $4, $5, $6) e`;

const lastChars = (text: string): string => Array.from(text).slice(-SNIPPET_CHARS).join('');

interface Part {
  readonly step: number;
  readonly text: string;
}

/** The whole chunk of the match, and of its neighbours no more than a snippet can show. */
const passage = (parts: readonly Part[]): string => {
  const textOf = (which: (step: number) => boolean): string =>
    parts
      .filter(({ step }) => which(step))
      .map(({ text }) => text)
      .join('');
  const before = textOf((step) => step < 0);
  const [match, after] = [textOf((step) => step === 0), textOf((step) => step > 0)];
  return lastChars(before) + match + firstChars(after, SNIPPET_CHARS);
};

const openEntry = (vault: KeyOpener, workspaceId: string, rows: readonly EntryRow[]): Entry => {
  const row = rows[0]!;
  const { itemId, folderId, tier } = row;
  const itemKey = vault.unwrap(workspaceId, itemId, row.itemKey);
  const { title, tags } = openMeta(itemKey, workspaceId, itemId, row.meta);
  const textOf = ({ chunkId, chunkKey, text }: EntryRow): string =>
    openText(vault.unwrap(workspaceId, chunkId, chunkKey), workspaceId, chunkId, text);
  // A row further ahead is the item's first chunk, which is opened only for a title.
  const parts = rows.filter(({ step }) => step >= -NEIGHBOURS).map((part) => ({ step: part.step, text: textOf(part) }));
  return {
    ...viewOf(EntryFields, row),
    itemId,
    folderId,
    placement: { workspaceId: row.workspaceId, tier },
    title: shownTitle(title, () => textOf(row)),
    tags,
    text: passage(parts),
  };
};

/** Loads and decrypts only the winners, in one query; the scope is checked again on the item itself. */
export const loadEntries = async (
  pool: Pool,
  vault: KeyOpener,
  reader: FolderReader,
  query: string,
  wanted: readonly WantedEntry[],
): Promise<ReadonlyMap<string, Entry>> => {
  if (wanted.length === 0) return new Map();
  const which = [wanted.map(({ itemId }) => itemId), wanted.map(({ hasWords }) => hasWords), query];
  const rows = await readRows<EntryRow>(pool, ENTRIES, [...which, ...folderReaderValues(reader)]);
  const byItem = new Map<string, EntryRow[]>();
  for (const row of rows) byItem.set(row.itemId, [...(byItem.get(row.itemId) ?? []), row]);
  return new Map([...byItem].map(([itemId, own]) => [itemId, openEntry(vault, reader.workspaceId, own)]));
};
