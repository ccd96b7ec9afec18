import { nameCandidates, type QueryFacts } from '@cairn/graph';
import { timeRangeIn } from './time-range.js';

export interface NamedFolio {
  readonly id: string;
  readonly name: string;
}

/** What the caller may see, and the time of the query. */
export interface RoutingWorld {
  readonly nowMs: number;
  readonly folders: readonly NamedFolio[];
  /** The keys that are names of entities visible to the caller. */
  readonly knownKeys: ReadonlySet<string>;
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A folder counts as named after "in" or "from", or next to the word folio or folder. Longer names win. */
const folderIn = (query: string, folders: readonly NamedFolio[]): QueryFacts['folder'] => {
  for (const { id, name } of [...folders].sort((a, b) => b.name.length - a.name.length || (a.id < b.id ? -1 : 1))) {
    const quoted = `["'“]?${escaped(name)}["'”]?`;
    const form = new RegExp(
      `\\b(?:in|from)(?: the)?(?: folio| folder)? ${quoted}(?!\\p{L})(?: folio| folder)?|\\b(?:folio|folder) ${quoted}(?!\\p{L})`,
      'iu',
    );
    const found = form.exec(query);
    if (found) return { text: found[0], id };
  }
  return undefined;
};

export const queryFacts = (query: string, { nowMs, folders, knownKeys }: RoutingWorld): QueryFacts => {
  const folder = folderIn(query, folders);
  // A folder may be called "Night watch" or "May": its name is not a time.
  const time = timeRangeIn(folder ? query.replace(folder.text, ' '.repeat(folder.text.length)) : query, nowMs);
  const entities = nameCandidates(query).filter(({ key }) => knownKeys.has(key));
  return {
    query,
    ...(time && { time }),
    ...(folder && { folder }),
    entities: entities.map(({ text }) => text.replace(/^[^\p{L}\p{N}@#]+|(?:['’]s?)?[^\p{L}\p{N}+#]*$/gu, '')),
  };
};
