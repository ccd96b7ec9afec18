import { echoed } from '@cairn/contracts';
import type { SubstrateColumn, SubstrateTable } from '@cairn/graph';
import { fileFault } from './file-fault.js';

/** A column name without the parts that differ from file to file: case, spaces, underscores. */
const folded = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** A column of the file, by the index of its cell or by its key. */
export interface FileColumn<K> {
  readonly place: K;
  readonly name: string;
}

export interface FileColumns<K> {
  readonly key: FileColumn<K>;
  readonly at: FileColumn<K>;
  readonly category: FileColumn<K> | undefined;
  readonly metrics: readonly (FileColumn<K> & { readonly metric: string })[];
}

const HEADER_SHOWN_MAX = 12;

const seen = (names: readonly string[]): string =>
  names
    .slice(0, HEADER_SHOWN_MAX)
    .map((name) => `"${echoed(name)}"`)
    .join(', ') + (names.length > HEADER_SHOWN_MAX ? `, and ${names.length - HEADER_SHOWN_MAX} more` : '');

/** Finds the columns of a table among the names in a file. If two columns have the same name, the last one counts. */
export const columnsOf = <K>(
  table: SubstrateTable,
  given: readonly (readonly [name: string, place: K])[],
  place: { readonly row?: number },
): FileColumns<K> => {
  const byName = new Map(given.map(([name, at]) => [folded(name), { place: at, name }]));
  const find = (spellings: readonly string[]): FileColumn<K> | undefined => {
    const spelling = spellings.find((name) => byName.has(folded(name)));
    return spelling === undefined ? undefined : byName.get(folded(spelling));
  };
  const required = (spellings: readonly string[]): FileColumn<K> => {
    const column = find(spellings);
    if (column) return column;
    const message = `there is no column ${spellings.map((name) => `"${name}"`).join(' or ')}; columns seen: ${seen(given.map(([name]) => name))}`;
    throw fileFault(message, place);
  };
  const spellingsOf = ({ name, from }: SubstrateColumn): string[] => [...from, name];
  const [key, at] = [required(spellingsOf(table.key)), required(spellingsOf(table.at))];
  const metrics = Object.entries(table.metrics).flatMap(([metric, { from }]) => {
    const column = from && find([...from, metric]);
    return column ? [{ ...column, metric }] : [];
  });
  if (metrics.length > 0) return { key, at, category: find(spellingsOf(table.category)), metrics };
  return required(Object.values(table.metrics).flatMap(({ from = [] }) => from)) as never;
};
