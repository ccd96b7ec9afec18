import { folderReaderValues, type FolderReader } from '@cairn/access';
import { LINKS_WALKED_MAX, type LinkType } from '@cairn/contracts';
import type { WalkLink } from '@cairn/graph';
import { readPrepared } from '@cairn/persistence';
import type { Pool } from 'pg';

/** Items whose links one statement loads: PGlite serves no other client during a statement. */
const FRONTIER_MAX = 500;

export interface LinkFilter {
  readonly depth: number;
  readonly linkTypes: readonly LinkType[];
  readonly minConfidence: number;
  readonly reader: FolderReader;
}

export interface LinkSource {
  readonly pool: Pool;
  readonly inTurn: <T>(statement: () => Promise<T>) => Promise<T>;
}

export interface LoadedLinks {
  readonly links: readonly WalkLink[];
  /** Whether there are more links than a walk reads. */
  readonly isCut: boolean;
}

interface LinkRow {
  readonly from_id: string;
  readonly to_id: string;
  readonly type: LinkType;
  readonly confidence: number;
  /** 0 for a stated link, 1 for a link in a text. */
  readonly rank: number;
}

/** A link is found from both of its ends. */
const ROWS_MAX = 2 * LINKS_WALKED_MAX + 1;

const LINKS_OF = 'select * from retrieval.links_of($1, $2, $3, $4, $5, $6, $7, $8)';

const rowsOf = (
  { pool, inTurn }: LinkSource,
  frontier: readonly string[],
  { linkTypes, minConfidence, reader }: LinkFilter,
  isOrdered: boolean,
): Promise<LinkRow[]> =>
  inTurn(() =>
    readPrepared<LinkRow>(pool, LINKS_OF, [
      frontier,
      linkTypes,
      minConfidence,
      isOrdered,
      ROWS_MAX,
      ...folderReaderValues(reader),
    ]),
  );

const keyOf = ({ from_id, to_id, type }: LinkRow): string => `${from_id}${to_id}${type}`;

/**
 * Links by ends and type: the same link is found from both ends, and may also be in a text; then the stated one counts.
 */
class FoundLinks {
  private readonly found = new Map<string, LinkRow>();

  hasRoomFor(rows: readonly LinkRow[]): boolean {
    if (rows.length >= ROWS_MAX) return false;
    const fresh = new Set(rows.map(keyOf).filter((key) => !this.found.has(key)));
    return this.found.size + fresh.size <= LINKS_WALKED_MAX;
  }

  add(rows: readonly LinkRow[]): void {
    for (const row of rows) {
      const known = this.found.get(keyOf(row));
      if (known ? row.rank < known.rank : this.found.size < LINKS_WALKED_MAX) this.found.set(keyOf(row), row);
    }
  }

  get links(): WalkLink[] {
    return [...this.found.values()].map(({ from_id: from, to_id: to, ...link }) => ({ ...link, from, to }));
  }
}

const partsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / FRONTIER_MAX) }, (_, n) =>
    ids.slice(n * FRONTIER_MAX, (n + 1) * FRONTIER_MAX),
  );

/**
 * The links within `depth` hops of the anchors, level by level. If there are too many, the first ones are taken: in the
 * order of the item ids, and from the last batch those with the highest confidence, so that the same links are taken
 * each time.
 */
export const loadLinks = async (
  source: LinkSource,
  anchors: readonly string[],
  filter: LinkFilter,
): Promise<LoadedLinks> => {
  const found = new FoundLinks();
  const visited = new Set(anchors);
  let frontier = [...visited].sort();
  for (let hop = 0; hop < filter.depth && frontier.length > 0; hop++) {
    const reached = new Set<string>();
    for (const part of partsOf(frontier)) {
      const rows = await rowsOf(source, part, filter, false);
      if (!found.hasRoomFor(rows)) {
        found.add(await rowsOf(source, part, filter, true));
        return { links: found.links, isCut: true };
      }
      found.add(rows);
      for (const id of rows.flatMap(({ from_id, to_id }) => [from_id, to_id])) if (!visited.has(id)) reached.add(id);
    }
    for (const id of reached) visited.add(id);
    frontier = [...reached].sort();
  }
  return { links: found.links, isCut: false };
};
