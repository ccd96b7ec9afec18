import { SERIES_FILE_COLUMNS_MAX, SERIES_FILE_ROWS_MAX, type Observation } from '@cairn/contracts';
import { observationLine, type SubstrateTable } from '@cairn/graph';
import { amountCell, categoryCell, CellFault, idCell, timeCell, type Cell } from './cells.js';
import { columnsOf, type FileColumn, type FileColumns } from './columns.js';
import { csvRecords, type CsvRecord } from './csv.js';
import { fileFault, tooManyColumns } from './file-fault.js';

/** A row of the file with the number under which a person finds it. */
interface FileRow {
  readonly row: number;
  readonly observation: Observation;
}

const constantsOf = ({ metrics }: SubstrateTable): Record<string, number> =>
  Object.fromEntries(
    Object.entries(metrics).flatMap(([name, { constant }]) => (constant === undefined ? [] : [[name, constant]])),
  );

/** Reads one row; a fault names the row and the column. */
const readRow = <K>(
  row: number,
  columns: FileColumns<K>,
  constants: Readonly<Record<string, number>>,
  valueAt: (place: K) => Cell,
): FileRow => {
  const read = <T>(column: FileColumn<K>, cell: (value: Cell) => T): T => {
    try {
      return cell(valueAt(column.place));
    } catch (thrown) {
      if (thrown instanceof CellFault) throw fileFault(thrown.message, { row, column: column.name });
      throw thrown;
    }
  };
  const { key, at, category, metrics } = columns;
  const amounts = metrics.flatMap((column) => {
    const amount = read(column, amountCell);
    return amount === undefined ? [] : [[column.metric, amount] as const];
  });
  const observation: Observation = {
    id: read(key, idCell),
    at: read(at, timeCell),
    category: category ? read(category, categoryCell) : null,
    metrics: { ...Object.fromEntries(amounts), ...constants },
  };
  return { row, observation };
};

interface Header {
  readonly width: number;
  readonly columns: FileColumns<number>;
}

const headerOf = ({ row, cells }: CsvRecord, table: SubstrateTable): Header => {
  const names = cells.map((name, i) => [name.trim(), i] as const);
  return { width: cells.length, columns: columnsOf(table, names, { row }) };
};

/** Undefined for a line that is not a row. */
function* csvRows(text: string, table: SubstrateTable): Generator<FileRow | undefined> {
  const constants = constantsOf(table);
  let header: Header | undefined;
  for (const record of csvRecords(text)) {
    if (!record || !header) {
      header ??= record && headerOf(record, table);
      yield undefined;
      continue;
    }
    const { row, cells } = record;
    if (cells.length !== header.width)
      throw fileFault(`has ${cells.length} cells where the header has ${header.width}`, { row });
    yield readRow(row, header.columns, constants, (place) => cells[place]);
  }
  if (!header) throw fileFault('the file is empty');
}

/** A list, or an object whose only list holds the rows: both are shapes that APIs return. */
const jsonList = (text: string): readonly unknown[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fileFault('the file is not valid JSON');
  }
  const lists = Array.isArray(value) ? [value as unknown[]] : Object.values(value ?? {}).filter(Array.isArray);
  if (lists.length !== 1) throw fileFault('the file must hold one list of rows');
  if (lists[0]!.length > SERIES_FILE_ROWS_MAX) throw fileFault(`the file has more than ${SERIES_FILE_ROWS_MAX} rows`);
  return lists[0]!;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each object names its own columns: an API leaves out values that it does not know. Rows count from 1. */
function* jsonRows(text: string, table: SubstrateTable): Generator<FileRow> {
  const constants = constantsOf(table);
  for (const [i, value] of jsonList(text).entries()) {
    const row = i + 1;
    if (!isRecord(value)) throw fileFault('must be an object', { row });
    const names = Object.keys(value);
    if (names.length > SERIES_FILE_COLUMNS_MAX) throw tooManyColumns(row);
    const columns = columnsOf(
      table,
      names.map((name) => [name, name] as const),
      { row },
    );
    yield readRow(row, columns, constants, (name) => value[name]);
  }
}

/** Lines between two turns of the event loop: a long file must not keep other callers waiting. */
const LINES_PER_TURN = 2_000;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The rows of a file, oldest first, and the number of repeats. A row that appears twice counts once; two different rows
 * with the same id are refused, since the file does not show which one is right.
 */
const collect = async (
  lines: Iterable<FileRow | undefined>,
  { key }: SubstrateTable,
): Promise<{ readonly rows: readonly Observation[]; readonly repeats: number }> => {
  const found = new Map<string, FileRow>();
  let [read, count] = [0, 0];
  for (const entry of lines) {
    if (++read % LINES_PER_TURN === 0) await nextTurn();
    if (!entry) continue;
    count++;
    const { row, observation } = entry;
    const earlier = found.get(observation.id);
    if (earlier && observationLine(earlier.observation) !== observationLine(observation)) {
      const message = `the same ${key.name} stands in row ${earlier.row} with other values`;
      throw fileFault(message, { row, column: key.name });
    }
    found.set(observation.id, earlier ?? entry);
  }
  if (count === 0) throw fileFault('the file has no rows');
  const sorted = [...found.values()].map(({ observation }) => observation);
  sorted.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  return { rows: sorted, repeats: count - sorted.length };
};

const decoded = (bytes: Uint8Array): string => {
  try {
    // Removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fileFault('the file must be UTF-8 text');
  }
};

export interface SeriesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const READERS: Readonly<Record<string, (text: string, table: SubstrateTable) => Iterable<FileRow | undefined>>> = {
  csv: csvRows,
  json: jsonRows,
};

/** The extensions of files that can be imported. */
export const SERIES_FORMATS = Object.keys(READERS);

/** Reads a file of a source, or reports its fault. Nothing is stored until the whole file is read. */
export const readSeriesFile = ({ name, bytes }: SeriesFile, table: SubstrateTable) => {
  const read = READERS[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (!read)
    throw fileFault(`the name of the file must end in ${SERIES_FORMATS.map((ending) => `.${ending}`).join(' or ')}`);
  return collect(read(decoded(bytes), table), table);
};
