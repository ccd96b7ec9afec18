import { FILE_BYTES_MAX } from '@cairn/contracts';
import { compile, type FormatCallback } from 'html-to-text';
import { HIDDEN_SELECTORS, isHidden, oneLine } from './html-node.js';
import { formatRow, isInRow } from './html-table.js';
import type { RawDocument } from './parsed-document.js';
import { decodeHtml } from './text-encoding.js';

const formatHeading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  if (!isInRow(builder)) builder.addLiteral(`${'#'.repeat(Number(element.name?.slice(1)))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2, blockTransform: oneLine });
};

const formatAlt: FormatCallback = (element, _, builder) => {
  const { alt } = element.attribs as { readonly alt?: string };
  if (alt) builder.addInline(alt);
};

/** Controls are inline, but their text is separate from the adjacent word. */
const formatApart: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ');
  walk(element.children, builder);
  builder.addInline(' ');
};

/** Lists as the library formats them, without a bullet for a hidden entry. */
const listAs =
  (format: 'unorderedList' | 'orderedList'): FormatCallback =>
  (element, walk, builder, options) => {
    const children = element.children.filter((child) => !isHidden(child));
    builder.options.formatters[format]!({ ...element, children }, walk, builder, options);
  };

const selectors = (names: string, format: string, options = {}) =>
  names.split(' ').map((selector) => ({ selector, format, options }));

/** Block elements that the library does not know. */
const BLOCKS =
  'table tbody thead tfoot caption dl dt dd address details summary dialog fieldset legend figure figcaption hgroup search li';

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: FILE_BYTES_MAX },
  formatters: {
    cairnHeading: formatHeading,
    cairnRow: formatRow,
    cairnAlt: formatAlt,
    cairnApart: formatApart,
    cairnList: listAs('unorderedList'),
    cairnNumbered: listAs('orderedList'),
  },
  selectors: [
    ...selectors('h1 h2 h3 h4 h5 h6', 'cairnHeading'),
    ...selectors('tr', 'cairnRow'),
    ...selectors('img', 'cairnAlt'),
    ...selectors('a', 'inline'),
    ...selectors('ol', 'cairnNumbered'),
    ...selectors('ul menu', 'cairnList', { itemPrefix: '- ' }),
    ...selectors(BLOCKS, 'block', { leadingLineBreaks: 1, trailingLineBreaks: 1 }),
    ...selectors(
      'button input label meter optgroup option output progress select textarea audio canvas object video',
      'cairnApart',
    ),
    ...selectors('title template svg iframe noscript datalist', 'skip'),
    ...HIDDEN_SELECTORS.map((selector) => ({ selector, format: 'skip' })),
  ],
});

/** Headings as in Markdown, lists, rows of tables as lines, links by their text; scripts and styles are dropped. */
export const htmlToText = (html: string): string => toText(html);

/** The title is searched for in this many characters, far more than usually precede it. */
const TITLE_WITHIN = 65_536;

const titleOf = (html: string): string | undefined => {
  const title = /<title[^>]{0,200}>([^<]{1,2000})<\/title/i.exec(html.slice(0, TITLE_WITHIN))?.[1];
  return title === undefined ? undefined : htmlToText(title);
};

export const readHtml = (bytes: Uint8Array): RawDocument => {
  const html = decodeHtml(bytes);
  return { text: htmlToText(html), title: titleOf(html) };
};
