import { fail, SOURCE_NAME_CHARS_MAX, text } from '@cairn/contracts';
import type { DocumentFile } from './document-parser.js';
import type { ParsedDocument } from './parsed-document.js';

export interface FileItem {
  readonly title: string;
  readonly text: string;
  /** The file name, as the source of the item. */
  readonly name: string;
}

/** It becomes a title and a source, so it is held to what they may be. */
const fileNameOf = ({ fileName }: DocumentFile): string => {
  const { data, error } = text(1, SOURCE_NAME_CHARS_MAX).safeParse(fileName);
  if (!error) return data;
  // What is wrong stands in the field `file`, and would be taken for the content of the file there.
  const [issue] = error.issues;
  const limit = issue?.code === 'custom' ? issue.params : {};
  throw fail('input.invalid', `the name of the file ${issue?.message}`, { field: 'file', ...limit });
};

const titleOfName = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replace(/\s+/g, ' ')
    .trim() || name;

/** What a file is stored as, before the limits of an item are applied. Also asked by a dry run, which stores nothing. */
export const fileItem = async (
  file: DocumentFile,
  parse: (file: DocumentFile) => Promise<ParsedDocument>,
): Promise<FileItem> => {
  const name = fileNameOf(file);
  const { title, text: content } = await parse(file);
  return { title: title ?? titleOfName(name), text: content, name };
};
