import { folderReaderValues, type FolderReader } from '@cairn/access';
import { firstChars, shownTitle, SNIPPET_CHARS, type Placed, type Tier } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import { openMeta, openText } from '@cairn/vault';
import type { Pool } from 'pg';
import type { KeyOpener } from './winners.js';

/** An item as a hit shows it. */
export interface Entry extends Placed {
  readonly itemId: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly confidence: number;
  readonly createdByAgentId: string;
  readonly supersededById: string | null;
  readonly expiresAt: string | null;
  /** The text around the first match of the words, else the beginning. */
  readonly text: string;
}

export interface WantedEntry {
  readonly itemId: string;
  readonly hasWords: boolean;
}

interface EntryRow {
  readonly item_id: string;
  readonly folder_id: string;
  readonly workspace_id: string;
  readonly tier: Tier;
  readonly meta: Buffer;
  readonly item_key: Buffer;
  readonly confidence: number;
  readonly created_by_agent_id: string;
  readonly superseded_by_id: string | null;
  readonly expires_at: Date | null;
  readonly chunk_id: string;
  readonly text: Buffer;
  readonly chunk_key: Buffer;
  /** 0 is the chunk of the first match, below are those before it; the lowest is the first chunk of an untitled item. */
  readonly step: number;
}

/** Chunks on either side of the match. */
export const NEIGHBOURS = 2;

const ENTRIES = 'select * from retrieval.item_entries($1, $2, $3, $4, $5, $6)';

const lastChars = (text: string): string => Array.from(text).slice(-SNIPPET_CHARS).join('');

interface Part {
  readonly step: number;
  readonly text: string;
}

/** The chunk of the match whole, and of its neighbours no more than a snippet can show. */
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
  const itemKey = vault.unwrap(workspaceId, row.item_id, row.item_key);
  const { title, tags } = openMeta(itemKey, workspaceId, row.item_id, row.meta);
  const textOf = ({ chunk_id: id, chunk_key: key, text }: EntryRow): string =>
    openText(vault.unwrap(workspaceId, id, key), workspaceId, id, text);
  // A row further ahead is the first of its item, which is opened only for a title.
  const parts = rows.filter(({ step }) => step >= -NEIGHBOURS).map((part) => ({ step: part.step, text: textOf(part) }));
  return {
    itemId: row.item_id,
    folderId: row.folder_id,
    placement: { workspaceId: row.workspace_id, tier: row.tier },
    title: shownTitle(title, () => textOf(row)),
    tags,
    confidence: row.confidence,
    createdByAgentId: row.created_by_agent_id,
    supersededById: row.superseded_by_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
    text: passage(parts),
  };
};

/** Loads and decrypts the winners only, by one query, the scope checked once more on the item itself. */
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
  for (const row of rows) byItem.set(row.item_id, [...(byItem.get(row.item_id) ?? []), row]);
  return new Map([...byItem].map(([itemId, own]) => [itemId, openEntry(vault, reader.workspaceId, own)]));
};
