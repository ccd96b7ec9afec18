import type { Retention } from './graph-words.js';

/** The parts of a mesh URI. It contains no id of the source: the item identifies the document. */
export interface MeshAddress {
  readonly connectorId: string;
  readonly accountId: string;
  readonly itemId: string;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FORM = new RegExp(
  `^mesh://([a-z0-9-]{1,24})/(${UUID})/(${UUID})(?:\\?confirmation_token=([\\w.~-]{1,512}))?$`,
  'i',
);

export const meshUri = ({ connectorId, accountId, itemId }: MeshAddress): string =>
  `mesh://${connectorId}/${accountId}/${itemId}`;

/** Undefined for any other text. */
export const parseMeshUri = (uri: string): (MeshAddress & { readonly token: string | undefined }) | undefined => {
  const [, connectorId, accountId, itemId, token] = FORM.exec(uri) ?? [];
  if (connectorId === undefined || accountId === undefined || itemId === undefined) return undefined;
  return {
    connectorId: connectorId.toLowerCase(),
    accountId: accountId.toLowerCase(),
    itemId: itemId.toLowerCase(),
    token,
  };
};

/** The address of an item's text at its source; null for an item that holds its whole text. */
export const meshUriOf = (item: {
  readonly retention: Retention;
  readonly accountId: string | null;
  readonly connectorId: string | null;
  readonly itemId: string;
}): string | null => {
  const { retention, accountId, connectorId, itemId } = item;
  if (retention === 'full' || accountId === null || connectorId === null) return null;
  return meshUri({ connectorId, accountId, itemId });
};
