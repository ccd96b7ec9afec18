import type { EventData, EventType, MergeAnchor, OpEnvelope } from '@cairn/contracts';
import type { KeyOpener } from '@cairn/retrieval';
import { openAccount, openFindings, openMeta, openName, openText, openWaitingText } from '@cairn/vault';

/** Shown in place of data that can no longer be decrypted. */
export const FORGOTTEN = '<forgotten>';

/** The existing wrapped keys, by the item, chunk or confirmation they belong to. */
export type LivingKeys = ReadonlyMap<string, Buffer>;

/** For an erased op, the archive keeps only the item's id and a mark. */
export const isErased = (data: unknown): boolean => (data as { content?: unknown } | null)?.content === FORGOTTEN;

const isWhole = (data: unknown): boolean => data !== null && 'meta' in (data as object);

type ItemData = EventData<'item.stored' | 'item.extended' | 'item.placed'>;

const isItemData = (type: string, data: unknown): data is ItemData =>
  (['item.stored', 'item.extended', 'item.placed'] satisfies EventType[] as string[]).includes(type) && isWhole(data);

type CorrectionData = EventData<'chunk.corrected'>;

const isCorrectionData = (type: string, data: unknown): data is CorrectionData =>
  type === ('chunk.corrected' satisfies EventType) && isWhole(data);

const isObservedData = (type: string, data: unknown): data is EventData<'edge.observed'> =>
  type === ('edge.observed' satisfies EventType) && data !== null && 'findings' in (data as object);

const isMergeData = (type: string, data: unknown): data is EventData<'entity.merged'> =>
  type === ('entity.merged' satisfies EventType) && data !== null;

const isWaitingData = (type: string, data: unknown): data is EventData<'confirmation.requested'> =>
  type === ('confirmation.requested' satisfies EventType) && data !== null;

const isTokenData = (type: string, data: unknown): data is EventData<'token.issued'> =>
  type === ('token.issued' satisfies EventType) && data !== null;

const isServerData = (type: string, data: unknown): data is { readonly sealed?: string } =>
  type.startsWith('server.') && data !== null;

type AccountData = EventData<'connector.connected' | 'connector.configured'>;

const isAccountData = (type: string, data: unknown): data is AccountData =>
  (['connector.connected', 'connector.configured'] satisfies EventType[] as string[]).includes(type) && data !== null;

/** The owner of the keys of an op's data, if it is not an item. */
const ownerOf = (type: string, data: unknown): string[] => {
  if (isWaitingData(type, data)) return [data.confirmationId];
  return isAccountData(type, data) ? [data.accountId] : [];
};

/** The owners of the keys that are needed to show an op. */
export const ownersOf = ({ type, data }: OpEnvelope): { items: string[]; chunks: string[] } =>
  isItemData(type, data)
    ? { items: [data.itemId], chunks: data.chunks.map(({ chunkId }) => chunkId) }
    : isCorrectionData(type, data) || isObservedData(type, data)
      ? { items: [data.itemId], chunks: [data.chunkId] }
      : isMergeData(type, data)
        ? { items: [], chunks: [...data.alias, ...data.canonical].map(({ chunkId }) => chunkId) }
        : { items: ownerOf(type, data), chunks: [] };

/** The item of an op: the one it changed, or the one that a decision has stored. */
export const itemIdOf = ({ data }: OpEnvelope): string | undefined => {
  const { itemId, storedItemId } = (data ?? {}) as { readonly itemId?: unknown; readonly storedItemId?: unknown };
  const id = itemId ?? storedItemId;
  return typeof id === 'string' ? id : undefined;
};

const opened = <T>(open: (key: Uint8Array) => T, key: Uint8Array | undefined): T | typeof FORGOTTEN =>
  key === undefined ? FORGOTTEN : open(key);

/** No one sees a credential, not even an operator. */
const openedAccount = (
  { sealed, ...shown }: AccountData,
  workspace: string,
  key: Uint8Array | undefined,
): Record<string, unknown> => {
  if (sealed === undefined) return shown;
  const open = (opener: Uint8Array) => {
    // No other fields: a newer version may keep a further secret here.
    const secrets = openAccount(opener, workspace, shown.accountId, Buffer.from(sealed, 'base64'));
    const { label, settings, credential } = secrets;
    return { label, settings, hasCredential: credential !== undefined };
  };
  return { ...shown, sealed: opened(open, key) };
};

/** The data of an op, with its sealed fields decrypted if their key exists. */
export const openData = (envelope: OpEnvelope, keys: LivingKeys, vault: KeyOpener): Record<string, unknown> => {
  const { type, workspace, data } = envelope;
  const keyOf = (owner: string): Uint8Array | undefined => {
    const wrapped = keys.get(owner);
    return wrapped && vault.unwrap(workspace, owner, wrapped);
  };
  if (isWaitingData(type, data)) {
    const { confirmationId: id, sealed } = data;
    const open = (key: Uint8Array) => openWaitingText(key, workspace, id, Buffer.from(sealed, 'base64'));
    return { ...data, sealed: opened(open, keyOf(id)) };
  }
  if (isAccountData(type, data)) return openedAccount(data, workspace, keyOf(data.accountId));
  if (isObservedData(type, data)) {
    const { chunkId, findings } = data;
    const open = (key: Uint8Array) => openFindings(key, workspace, chunkId, Buffer.from(findings, 'base64'));
    return { ...data, findings: opened(open, keyOf(chunkId)) };
  }
  if (isMergeData(type, data)) {
    const named = ({ chunkId, name, ...anchor }: MergeAnchor) => {
      const open = (key: Uint8Array) => openName(key, workspace, chunkId, Buffer.from(name, 'base64'));
      return { ...anchor, chunkId, name: opened(open, keyOf(chunkId)) };
    };
    return { ...data, alias: data.alias.map(named), canonical: data.canonical.map(named) };
  }
  // No one sees the hash that a secret is checked against, not even an operator.
  if (isTokenData(type, data)) {
    const { secretHash: _, ...shown } = data;
    return shown;
  }
  // The same applies to the credential of an external server; its address is in the list of servers.
  if (isServerData(type, data)) {
    const { sealed: _, ...shown } = data;
    return shown;
  }
  if (!isItemData(type, data) && !isCorrectionData(type, data)) return data as Record<string, unknown>;
  const textOf = (chunkId: string, text: string): string =>
    opened((key) => openText(key, workspace, chunkId, Buffer.from(text, 'base64')), keyOf(chunkId));
  const sealed = Buffer.from(data.meta, 'base64');
  const meta = opened((key) => openMeta(key, workspace, data.itemId, sealed), keyOf(data.itemId));
  if (!isItemData(type, data)) {
    const { chunkId, oldText, newText } = data;
    return { ...data, meta, oldText: textOf(chunkId, oldText), newText: textOf(chunkId, newText) };
  }
  const chunks = data.chunks.map((chunk) => ({ ...chunk, text: textOf(chunk.chunkId, chunk.text) }));
  return { ...data, meta, chunks };
};
