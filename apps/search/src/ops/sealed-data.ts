import type { EventData, EventType, OpEnvelope } from '@cairn/contracts';
import type { KeyOpener } from '@cairn/retrieval';
import { openMeta, openText, openWaitingText } from '@cairn/vault';

/** Shown in place of what cannot be opened any more. */
export const FORGOTTEN = '<forgotten>';

/** Wrapped keys that still live, by the item, chunk or confirmation they belong to. */
export type LivingKeys = ReadonlyMap<string, Buffer>;

/** The archive keeps only the item's id of an op that was erased, and marks it. */
export const isErased = (data: unknown): boolean => (data as { content?: unknown } | null)?.content === FORGOTTEN;

const isWhole = (data: unknown): boolean => data !== null && 'meta' in (data as object);

type ItemData = EventData<'item.stored' | 'item.extended' | 'item.placed'>;

const isItemData = (type: string, data: unknown): data is ItemData =>
  (['item.stored', 'item.extended', 'item.placed'] satisfies EventType[] as string[]).includes(type) && isWhole(data);

type CorrectionData = EventData<'chunk.corrected'>;

const isCorrectionData = (type: string, data: unknown): data is CorrectionData =>
  type === ('chunk.corrected' satisfies EventType) && isWhole(data);

const isWaitingData = (type: string, data: unknown): data is EventData<'confirmation.requested'> =>
  type === ('confirmation.requested' satisfies EventType) && data !== null;

const isTokenData = (type: string, data: unknown): data is EventData<'token.issued'> =>
  type === ('token.issued' satisfies EventType) && data !== null;

const isServerData = (type: string, data: unknown): data is { readonly sealed?: string } =>
  type.startsWith('server.') && data !== null;

/** Whose keys are needed to show an op. */
export const ownersOf = ({ type, data }: OpEnvelope): { items: string[]; chunks: string[] } =>
  isItemData(type, data)
    ? { items: [data.itemId], chunks: data.chunks.map(({ chunkId }) => chunkId) }
    : isCorrectionData(type, data)
      ? { items: [data.itemId], chunks: [data.chunkId] }
      : { items: isWaitingData(type, data) ? [data.confirmationId] : [], chunks: [] };

/** The item that an op is about: the one it changed, or the one that a decision has stored. */
export const itemIdOf = ({ data }: OpEnvelope): string | undefined => {
  const { itemId, storedItemId } = (data ?? {}) as { readonly itemId?: unknown; readonly storedItemId?: unknown };
  const id = itemId ?? storedItemId;
  return typeof id === 'string' ? id : undefined;
};

const opened = <T>(open: (key: Uint8Array) => T, key: Uint8Array | undefined): T | typeof FORGOTTEN =>
  key === undefined ? FORGOTTEN : open(key);

/** The data of an op with its sealed fields in the clear where their key lives. */
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
  // No one sees what a secret is checked against, not even an operator.
  if (isTokenData(type, data)) {
    const { secretHash: _, ...shown } = data;
    return shown;
  }
  // The same holds for the credential of an external server; its address is in the list of servers.
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
