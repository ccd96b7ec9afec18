import { CsvError, parse } from 'csv-parse/sync';
import { unreadable } from './document-format.js';
import type { RawDocument } from './parsed-document.js';
import { decodeText } from './text-encoding.js';

interface RawRow {
  readonly raw: string;
}

const oneLine = (raw: string): string =>
  raw
    .split(/[\r\n]+/)
    .filter(Boolean)
    .join(' ');

/**
 * A table keeps its text, delimiters and quotes. Only line breaks inside a cell become spaces, so that each row is one
 * line and is never split. Rows may differ in length, and a quote inside an unquoted cell is an ordinary character: many
 * programs write such files.
 */
export const readCsv = (bytes: Uint8Array): RawDocument => {
  try {
    const rows = parse(decodeText(bytes), {
      raw: true,
      delimiter: [',', ';', '\t', '|'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as RawRow[];
    return { text: rows.map(({ raw }) => `${oneLine(raw)}\n`).join('') };
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    const line = Number((thrown as unknown as { lines?: unknown }).lines);
    const place = Number.isSafeInteger(line) ? ` near line ${line}` : '';
    throw unreadable(`it is not valid CSV${place} (${thrown.code})`, thrown);
  }
};
