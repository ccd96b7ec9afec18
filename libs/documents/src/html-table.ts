import type { DomNode, FormatCallback, RecursiveCallback } from 'html-to-text';
import { attributesOf, hasText, holds, isHidden, oneLine } from './html-node.js';

type Builder = Parameters<FormatCallback>[2];

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const TABLES: ReadonlySet<string> = new Set(['table']);
const ROWS: ReadonlySet<string> = new Set(['tr', 'thead', 'tbody', 'tfoot']);

const isOnlyRow = (row: DomNode): boolean => {
  const isRow = ({ name }: DomNode): boolean => ROWS.has(name ?? '');
  for (let node = row; node.parent && isRow(node); node = node.parent)
    if (node.parent.children.some((other) => other !== node && isRow(other))) return false;
  return true;
};

const isForLooks = (row: DomNode): boolean => {
  let node: DomNode | undefined = row;
  while (node && node.name !== 'table') node = node.parent;
  return node !== undefined && /^(presentation|none)$/i.test(attributesOf(node)['role'] ?? '');
};

/** A cell with a heading and text below it is a section of a page. */
const isSection = (cell: DomNode): boolean =>
  cell.name !== 'th' && holds(cell, HEADINGS) && hasText(cell.children, HEADINGS);

/**
 * Layout tables: declared as such, a frame around a single cell, a cell around another table, or cells with sections.
 * Their blocks stay blocks; otherwise a whole page would become one line.
 */
const isLayout = (row: DomNode, filled: readonly DomNode[]): boolean => {
  const [only] = filled;
  if (filled.length === 1 && only && (isOnlyRow(row) || holds(only, TABLES))) return true;
  return isForLooks(row) || filled.some(isSection);
};

/** Builders inside a data row: everything in its cells becomes part of one line. */
const inRow = new WeakSet<Builder>();

export const isInRow = (builder: Builder): boolean => inRow.has(builder);

/**
 * The library's own cells do not expose the line breaks that their blocks request. Cells of a nested table are separated
 * by spaces: a bar would look like a column of the outer table.
 */
const addRow = (cells: readonly DomNode[], walk: RecursiveCallback, builder: Builder): void => {
  const isOuter = !inRow.has(builder);
  inRow.add(builder);
  builder.openTable();
  builder.openTableRow();
  for (const cell of cells) {
    builder.openTableCell();
    walk([cell], builder);
    builder.closeTableCell();
  }
  builder.closeTableRow();
  builder.closeTable({
    tableToString: ([texts = []]) => oneLine(texts.map(({ text }) => text).join(isOuter ? ' | ' : ' ')),
    leadingLineBreaks: 1,
    trailingLineBreaks: 1,
  });
  if (isOuter) inRow.delete(builder);
};

const addBlocks = (cells: readonly DomNode[], walk: RecursiveCallback, builder: Builder): void => {
  for (const cell of cells) {
    builder.openBlock({ leadingLineBreaks: 1 });
    walk([cell], builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  }
};

/** A data row is one line, its cells separated by bars, whatever they hold. A row without text is omitted. */
export const formatRow: FormatCallback = (row, walk, builder) => {
  const cells = row.children.filter((child) => child.type === 'tag' && !isHidden(child));
  const filled = cells.filter((cell) => hasText([cell]));
  if (filled.length === 0) return;
  if (isInRow(builder) || !isLayout(row, filled)) addRow(cells, walk, builder);
  else addBlocks(filled, walk, builder);
};
