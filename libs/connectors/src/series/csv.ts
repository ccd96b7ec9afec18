import { SERIES_FILE_COLUMNS_MAX, SERIES_FILE_ROWS_MAX } from '@cairn/contracts';
import { fileFault, tooManyColumns } from './file-fault.js';

/** One record of a CSV file and the row on which it begins; a quoted cell may hold line breaks. */
export interface CsvRecord {
  readonly row: number;
  readonly cells: readonly string[];
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/**
 * Reads records one by one, as RFC 4180 defines them: quotes around cells, doubled within them, LF or CRLF between
 * records.
 */
class CsvReader {
  private at = 0;
  private row = 1;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  next(): CsvRecord {
    const row = this.row;
    const cells: string[] = [];
    do {
      if (cells.length === SERIES_FILE_COLUMNS_MAX) throw tooManyColumns(row);
      cells.push(this.text[this.at] === '"' ? this.quoted() : this.plain());
    } while (this.takes(','));
    this.endRecord();
    return { row, cells };
  }

  private takes(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private plain(): string {
    const start = this.at;
    while (!this.isAtEnd && !',\r\n'.includes(this.text[this.at]!)) this.at++;
    const cell = this.text.slice(start, this.at);
    if (cell.includes('"'))
      throw fileFault('a quotation mark stands inside a cell that has none around it', { row: this.row });
    return cell;
  }

  private quoted(): string {
    const opened = this.row;
    let cell = '';
    for (;;) {
      const end = this.text.indexOf('"', this.at + 1);
      if (end === -1) throw fileFault('a quoted cell does not end', { row: opened });
      const part = this.text.slice(this.at + 1, end);
      this.row += lineBreaks(part);
      cell += part;
      this.at = end;
      if (this.text[end + 1] !== '"') break;
      cell += '"';
      this.at++;
    }
    this.at++;
    if (!this.isAtEnd && !',\r\n'.includes(this.text[this.at]!))
      throw fileFault('text follows the quotation mark that ends a cell', { row: this.row });
    return cell;
  }

  private endRecord(): void {
    this.takes('\r');
    if (!this.takes('\n') && !this.isAtEnd) throw fileFault('a carriage return stands alone', { row: this.row });
    this.row++;
  }
}

const isBlank = ({ cells }: CsvRecord): boolean => cells.length === 1 && cells[0]!.trim() === '';

/** The records of a file, one by one, so that a long file can be read in turns. A blank line is undefined. */
export function* csvRecords(text: string): Generator<CsvRecord | undefined> {
  const reader = new CsvReader(text);
  let count = 0;
  while (!reader.isAtEnd) {
    const record = reader.next();
    const isRow = !isBlank(record);
    // One more for the header.
    if (isRow && ++count > SERIES_FILE_ROWS_MAX + 1)
      throw fileFault(`the file has more than ${SERIES_FILE_ROWS_MAX} rows`);
    yield isRow ? record : undefined;
  }
}
