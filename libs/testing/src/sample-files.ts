import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** Small real files for tests, written by hand so that their content is plain to see. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

interface PdfOptions {
  readonly title?: string;
  /** Raw content streams instead of pages of text. */
  readonly streams?: readonly Buffer[];
  readonly encrypted?: boolean;
}

const escaped = (line: string): string => line.replace(/[\\()]/g, '\\$&');

const pageStream = (text: string): Buffer => {
  const lines = text.split('\n').map((line) => `(${escaped(line)}) Tj T*`);
  return deflateSync(Buffer.from(`BT /F1 12 Tf 14 TL 72 720 Td ${lines.join(' ')} ET`, 'latin1'));
};

/** A PDF with one page per text, in Helvetica, with compressed streams. */
export const pdfOf = (pages: readonly string[], { title, streams, encrypted }: PdfOptions = {}): Uint8Array => {
  const contents = streams ?? pages.map(pageStream);
  const pageIds = contents.map((_, i) => 10 + 2 * i);
  const objects = new Map<number, Buffer>([
    [1, Buffer.from('<< /Type /Catalog /Pages 2 0 R >>')],
    [
      2,
      Buffer.from(`<< /Type /Pages /Count ${pageIds.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`),
    ],
    [3, Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')],
    [4, Buffer.from(`<< ${title === undefined ? '' : `/Title (${escaped(title)})`} >>`)],
    [
      5,
      Buffer.from(`<< /Filter /Standard /V 1 /R 2 /Length 40 /P -1 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`),
    ],
  ]);
  for (const [i, stream] of contents.entries()) {
    const id = pageIds[i]!;
    const font = '/Resources << /Font << /F1 3 0 R >> >>';
    objects.set(
      id,
      Buffer.from(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${font} /Contents ${id + 1} 0 R >>`),
    );
    const dictionary = `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
    objects.set(id + 1, Buffer.concat([Buffer.from(dictionary), stream, Buffer.from('\nendstream')]));
  }
  return assemble(objects, encrypted ? `/Encrypt 5 0 R /ID [<${'43'.repeat(16)}> <${'43'.repeat(16)}>]` : '');
};

const assemble = (objects: ReadonlyMap<number, Buffer>, trailer: string): Uint8Array => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = new Map<number, number>();
  let at = parts[0]!.length;
  for (const [id, body] of objects) {
    offsets.set(id, at);
    const object = Buffer.concat([Buffer.from(`${id} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(object);
    at += object.length;
  }
  const size = Math.max(...objects.keys()) + 1;
  const rows = Array.from({ length: size }, (_, id) => {
    const offset = offsets.get(id);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
};

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface DocxParagraph {
  readonly text: string;
  readonly style?: string;
}

const paragraphXml = ({ text, style }: DocxParagraph): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const docxOfBody = (
  body: string | Uint8Array,
  title = '',
  extra: Record<string, Uint8Array> = {},
): Uint8Array => {
  const document =
    typeof body === 'string'
      ? strToU8(`${XML}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`)
      : body;
  const style = (id: string, name: string): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  return zipSync({
    '[Content_Types].xml': strToU8(
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/_rels/document.xml.rels': strToU8(
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'word/styles.xml': strToU8(
      `${XML}<w:styles xmlns:w="${WORD}">${style('Title', 'Title')}${style('Heading1', 'heading 1')}${style('Heading2', 'heading 2')}</w:styles>`,
    ),
    'docProps/core.xml': strToU8(
      `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`,
    ),
    'word/document.xml': document,
    ...extra,
  });
};

export const docxOf = (paragraphs: readonly DocxParagraph[], title = ''): Uint8Array =>
  docxOfBody(paragraphs.map(paragraphXml).join(''), title);
