/** The formats that compaction distinguishes. */
export type CompactFormat = 'csv' | 'markdown' | 'pdf' | 'plain';

const OF_EXTENSION: Readonly<Record<string, CompactFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
  pdf: 'pdf',
  txt: 'plain',
  json: 'plain',
  html: 'plain',
  htm: 'plain',
  docx: 'plain',
};

const SNIFFED_LINES = 20;
/** Between the cells of a table. */
export const DELIMITERS = [',', ';', '\t', '|'];
/** Between the pages of a PDF. */
export const PAGE_END = '\f';

const countOf = (line: string, char: string): number => line.split(char).length - 1;

/** Whether every line has as many delimiters as the first one. */
const looksLikeTable = (text: string): boolean => {
  const lines = text.split('\n', SNIFFED_LINES).filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined || lines.length < 3) return false;
  return DELIMITERS.some((char) => {
    const count = countOf(first, char);
    return count > 0 && lines.every((line) => countOf(line, char) === count);
  });
};

const sniffed = (text: string): CompactFormat => {
  if (text.includes(PAGE_END)) return 'pdf';
  if (looksLikeTable(text)) return 'csv';
  return /^#{1,6} /m.test(text) ? 'markdown' : 'plain';
};

/** Determined by the known format of the file, or else by its name, or else by the text itself. */
export const compactFormatOf = (
  text: string,
  { format, sourceName }: { readonly format?: string | undefined; readonly sourceName?: string | undefined },
): CompactFormat => {
  const extension = /\.([A-Za-z]+)$/.exec(sourceName ?? '')?.[1]?.toLowerCase();
  return OF_EXTENSION[format ?? ''] ?? OF_EXTENSION[extension ?? ''] ?? sniffed(text);
};
