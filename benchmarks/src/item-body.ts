import { BODY_BYTES_MAX } from '@cairn/contracts';

export interface NewItem {
  readonly title: string;
  readonly text: string;
  readonly folderId?: string;
}

const formOf = ({ title, text, folderId }: NewItem): FormData => {
  const form = new FormData();
  form.append('title', title);
  if (folderId !== undefined) form.append('folderId', folderId);
  form.append('file', new Blob([text]), 'document.txt');
  return form;
};

/** A text may be short enough for an item and too long for a JSON request; it is then sent as a file. */
export const itemBody = (item: NewItem): NewItem | FormData =>
  Buffer.byteLength(JSON.stringify(item)) <= BODY_BYTES_MAX ? item : formOf(item);
