import { countTokens } from '../token-counter.js';
import { chosen, cutToFit } from './fit.js';
import { frequency, queryTokens } from './query-tokens.js';
import { DELIMITERS } from './text-format.js';

const PREDICATE = /([\p{L}\p{N}_. -]*[\p{L}\p{N}_.])\s*(>=|<=|=|>|<)\s*("[^"]*"|[^\s"]+)/gu;

type Row = readonly string[];
type Predicate = (row: Row) => boolean;

/** The cells of a line. Delimiters inside quotes do not count, and a doubled quote is one quote. */
const cellsOf = (line: string, delimiter: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (char === '"' && isQuoted && line[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (char === delimiter && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
};

const delimiterOf = (header: string): string =>
  DELIMITERS.map((one) => ({ one, count: cellsOf(header, one).length })).sort((a, b) => b.count - a.count)[0]!.one;

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

const folded = (text: string): string => text.trim().toLowerCase();

const predicateOf = (column: number, operator: string, given: string): Predicate | undefined => {
  const value = folded(given.replace(/^"|"$/g, ''));
  if (operator === '=') return (row) => folded(row[column] ?? '') === value;
  const bound = Number(value);
  const compare = COMPARE[operator]!;
  return Number.isNaN(bound) ? undefined : (row) => (row[column] ?? '') !== '' && compare(Number(row[column]), bound);
};

/** The name of a column may have several words: the longest name that ends the text before the operator counts. */
const columnIn = (words: string, columns: readonly string[]): number => {
  const before = folded(words);
  const found = columns
    .map((name, index) => ({ name: folded(name), index }))
    .filter(({ name }) => name !== '' && (before === name || before.endsWith(` ${name}`)))
    .sort((a, b) => b.name.length - a.name.length);
  return found[0]?.index ?? -1;
};

interface Asked {
  readonly predicates: readonly Predicate[];
  /** The words of the query without its predicates. */
  readonly words: ReadonlySet<string>;
}

/** `col=value`, `col>n` and `col<n` on columns of this table; the rest of a query is words. */
const askedOf = (query: string, columns: readonly string[]): Asked => {
  const predicates: Predicate[] = [];
  const rest = query.replace(PREDICATE, (whole, words: string, operator: string, value: string) => {
    const column = columnIn(words, columns);
    const predicate = column < 0 ? undefined : predicateOf(column, operator, value);
    if (!predicate) return whole;
    predicates.push(predicate);
    return words.slice(0, words.length - columns[column]!.length);
  });
  return { predicates, words: queryTokens(rest) };
};

/** If the query has predicates, a row that fails one is left out, whatever its words. */
const survives = (line: string, delimiter: string, { predicates }: Asked): boolean => {
  if (predicates.length === 0) return true;
  const row = cellsOf(line, delimiter);
  return predicates.every((holds) => holds(row));
};

/** The header, and the rows that pass the predicates of the query: those with its words first, in table order. */
export const compactCsv = (text: string, query: string, tokensMax: number): string => {
  const [header = '', ...rows] = text.split('\n').filter((line) => line.trim() !== '');
  const noteFor = (kept: number): string => `… ${kept} of ${rows.length} rows`;
  const spent = countTokens(header) + countTokens(noteFor(rows.length));
  if (spent > tokensMax) return cutToFit(header, tokensMax);
  const delimiter = delimiterOf(header);
  const asked = askedOf(query, cellsOf(header, delimiter));
  const left = rows.filter((row) => survives(row, delimiter, asked));
  const parts = left.map((row) => ({ text: row, score: frequency(row, asked.words) }));
  const kept = chosen(parts, tokensMax - spent);
  return [header, ...left.filter((_, index) => kept.has(index)), noteFor(kept.size)].join('\n');
};
