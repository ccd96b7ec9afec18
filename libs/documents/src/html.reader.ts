import { FILE_BYTES_MAX } from '@cairn/contracts';
import { compile, type DomNode, type FormatCallback } from 'html-to-text';
import type { RawDocument } from './parsed-document.js';
import { decodeHtml } from './text-encoding.js';

/** A row that holds one of these is layout, not data. */
const BLOCKS = new Set(
  'address article blockquote div dl fieldset form h1 h2 h3 h4 h5 h6 hr ol pre section table ul'.split(' '),
);

const oneLine = (block: string): string =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

const formatHeading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addLiteral(`${'#'.repeat(Number(element.name?.slice(1)))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2, blockTransform: oneLine });
};

const holdsBlock = (nodes: readonly DomNode[] | undefined): boolean =>
  (nodes ?? []).some(({ name, children }) => (name !== undefined && BLOCKS.has(name)) || holdsBlock(children));

/** Word wraps the text of every cell into a paragraph; two of them are more than a value. */
const isValue = ({ children }: DomNode): boolean =>
  (children ?? []).filter(({ name }) => name === 'p').length <= 1 && !holdsBlock(children);

const withoutParagraph = (children: DomNode[] = []): DomNode[] =>
  children.flatMap((child) => (child.name === 'p' ? (child.children ?? []) : [child]));

/** A row of data is a line, its cells divided by bars. */
const formatRow: FormatCallback = (element, walk, builder) => {
  const cells = element.children.filter(({ name }) => name === 'td' || name === 'th');
  const isData = cells.every(isValue);
  builder.openBlock({ leadingLineBreaks: 1 });
  for (const [i, cell] of cells.entries()) {
    if (i > 0 && isData) builder.addInline(' | ');
    if (!isData) builder.openBlock({ leadingLineBreaks: 1 });
    walk(isData ? withoutParagraph(cell.children) : cell.children, builder);
    if (!isData) builder.closeBlock({ trailingLineBreaks: 1 });
  }
  builder.closeBlock({
    trailingLineBreaks: 1,
    ...(isData ? { blockTransform: oneLine } : {}),
  });
};

const formatAlt: FormatCallback = (element, _, builder) => {
  const { alt } = element.attribs as { readonly alt?: string };
  if (alt) builder.addInline(alt);
};

const selectors = (names: string, format: string, options = {}) =>
  names.split(' ').map((selector) => ({ selector, format, options }));

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: FILE_BYTES_MAX },
  formatters: { cairnHeading: formatHeading, cairnRow: formatRow, cairnAlt: formatAlt },
  selectors: [
    ...selectors('h1 h2 h3 h4 h5 h6', 'cairnHeading'),
    ...selectors('table tbody thead tfoot', 'block', { leadingLineBreaks: 1, trailingLineBreaks: 1 }),
    ...selectors('tr', 'cairnRow'),
    ...selectors('img', 'cairnAlt'),
    ...selectors('a', 'inline'),
    ...selectors('ul', 'unorderedList', { itemPrefix: '- ' }),
    ...selectors('title template svg', 'skip'),
  ],
});

/** Headings as in Markdown, lists, rows of tables as lines, links by their text; scripts and styles are dropped. */
export const htmlToText = (html: string): string => toText(html);

/** Far more than stands before a title; beyond it nobody looks for one. */
const TITLE_WITHIN = 65_536;

const titleOf = (html: string): string | undefined => {
  const title = /<title[^>]{0,200}>([^<]{1,2000})<\/title/i.exec(html.slice(0, TITLE_WITHIN))?.[1];
  return title === undefined ? undefined : htmlToText(title);
};

export const readHtml = (bytes: Uint8Array): RawDocument => {
  const html = decodeHtml(bytes);
  return { text: htmlToText(html), title: titleOf(html) };
};
