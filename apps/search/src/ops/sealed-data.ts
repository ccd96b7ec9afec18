import type { EventData, EventType, OpEnvelope } from '@cairn/contracts';
import type { KeyOpener } from '@cairn/retrieval';
import { openMeta, openText } from '@cairn/vault';

/** Shown in place of what cannot be opened any more. */
export const FORGOTTEN = '<forgotten>';

/** Wrapped keys that still live, by the item or chunk they belong to. */
export type LivingKeys = ReadonlyMap<string, Buffer>;

type ItemData = EventData<'item.stored'> | EventData<'item.extended'>;

const isItemData = (type: string, data: unknown): data is ItemData =>
  (['item.stored', 'item.extended'] satisfies EventType[] as string[]).includes(type) && data !== null;

/** Whose keys are needed to show an op. */
export const ownersOf = ({ type, data }: OpEnvelope): { items: string[]; chunks: string[] } =>
  isItemData(type, data)
    ? { items: [data.itemId], chunks: data.chunks.map(({ chunkId }) => chunkId) }
    : { items: [], chunks: [] };

const opened = <T>(open: (key: Uint8Array) => T, key: Uint8Array | undefined): T | typeof FORGOTTEN =>
  key === undefined ? FORGOTTEN : open(key);

/** The data of an op with its sealed fields in the clear where their key lives. */
export const openData = (envelope: OpEnvelope, keys: LivingKeys, vault: KeyOpener): Record<string, unknown> => {
  const { type, workspace, data } = envelope;
  if (!isItemData(type, data)) return data as Record<string, unknown>;
  const keyOf = (owner: string): Uint8Array | undefined => {
    const wrapped = keys.get(owner);
    return wrapped && vault.unwrap(workspace, owner, wrapped);
  };
  const chunks = data.chunks.map((chunk) => ({
    ...chunk,
    text: opened(
      (key) => openText(key, workspace, chunk.chunkId, Buffer.from(chunk.text, 'base64')),
      keyOf(chunk.chunkId),
    ),
  }));
  const sealed = Buffer.from(data.meta, 'base64');
  const meta = opened((key) => openMeta(key, workspace, data.itemId, sealed), keyOf(data.itemId));
  return { ...data, meta, chunks };
};
