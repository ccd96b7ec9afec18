import type { ItemKind } from '../../api/answers.js';

/** The item that was just stored on this page. */
export interface StoredSource {
  readonly id: string;
  readonly title: string;
  readonly folderId: string;
  readonly kind: ItemKind;
}

/** The filters of the list, without those that would hide the item that was just stored. */
export const filterShowing = (
  params: URLSearchParams,
  { kind, folderId }: Pick<StoredSource, 'kind' | 'folderId'>,
): URLSearchParams => {
  const fits: Readonly<Record<string, string>> = { kind, folder: folderId, inKb: 'true' };
  const kept = [...params].filter(([name, value]) => fits[name] === undefined || fits[name] === value);
  return new URLSearchParams(kept);
};
