import { fail, SOURCE_NAME_CHARS_MAX, text } from '@cairn/contracts';
import { formatOf, type DocumentFormat } from './document-format.js';
import type { DocumentFile } from './document-parser.js';
import type { ParsedDocument } from './parsed-document.js';

export interface FileItem {
  readonly title: string;
  readonly text: string;
  /** The file name, as the source of the item. */
  readonly name: string;
  readonly format: DocumentFormat;
}

/** The file name becomes a title and a source, so the rules of both apply. */
const fileNameOf = ({ fileName }: DocumentFile): string => {
  const { data, error } = text(1, SOURCE_NAME_CHARS_MAX).safeParse(fileName);
  if (!error) return data;
  // The error names the field `file`, so the message must state that the name is wrong, not the content.
  const [issue] = error.issues;
  const limit = issue?.code === 'custom' ? issue.params : {};
  throw fail('input.invalid', `the name of the file ${issue?.message}`, { field: 'file', ...limit });
};

const titleOfName = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replace(/\s+/g, ' ')
    .trim() || name;

/** What a file is stored as, before the limits of an item apply. A dry run uses it too. */
export const fileItem = async (
  file: DocumentFile,
  parse: (file: DocumentFile) => Promise<ParsedDocument>,
): Promise<FileItem> => {
  const name = fileNameOf(file);
  const { title, text: content } = await parse(file);
  return { title: title ?? titleOfName(name), text: content, name, format: formatOf(file.fileName) };
};
