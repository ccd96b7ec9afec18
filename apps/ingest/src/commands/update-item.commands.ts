import { notFound } from '@cairn/access';
import type { CommandData } from '@cairn/contracts';
import { decideUpdateItem, type ItemChange } from '@cairn/domain';
import type { ParsedRequest } from '@cairn/messaging';
import { openMeta, sealMeta, type ItemKeys } from '@cairn/vault';
import { anyFolderOf, type Command, type PrepareContext } from './command.js';
import { isVisible } from './visible-item.js';

type Update = ParsedRequest<CommandData<'item.update'>>;

/** Title and tags are one sealed field, which is opened at the head of the log and sealed again only if it changes. */
const resealWith =
  ({ data, principal: { workspaceId } }: Update, { item: key }: ItemKeys): ItemChange['reseal'] =>
  (sealed) => {
    const { itemId, title, tags } = data;
    const before = openMeta(key, workspaceId, itemId, Buffer.from(sealed, 'base64'));
    const after = { ...before, title: title ?? before.title, tags: tags ?? before.tags };
    if (JSON.stringify(after) === JSON.stringify(before)) return sealed;
    return sealMeta(key, workspaceId, itemId, after).toString('base64');
  };

/**
 * The key is needed only for a new title or new tags. A missing key means that the item does not exist, or no longer
 * does.
 */
const resealOf = async (request: Update, { vault }: PrepareContext): Promise<ItemChange['reseal']> => {
  const { itemId, title, tags } = request.data;
  if (title === undefined && tags === undefined) return (sealed) => sealed;
  const keys = await vault.find(request.principal.workspaceId, itemId);
  if (!keys) throw notFound('item');
  return resealWith(request, keys);
};

/**
 * A change that may bring text into the indexes repeats the text in its op, so the ciphertext is loaded with the state.
 */
const mayIndexText = ({ inKb, title, tags }: CommandData<'item.update'>): boolean =>
  inKb === true || title !== undefined || tags !== undefined;

/**
 * Checked before keys and ciphertext are loaded, so an item out of scope takes no longer than one that does not exist.
 * The decision is still made on the state at the head of the log.
 */
const checkVisible = async ({ principal, data }: Update, { pool }: PrepareContext): Promise<void> => {
  if (!(await isVisible(pool, principal, 'rest', data.itemId))) throw notFound('item');
};

const prepare: Command<'item.update'>['prepare'] = async (request, context) => {
  const { principal, data, id: commandId } = request;
  const { title: _, tags: __, ...command } = data;
  const needsContent = mayIndexText(data);
  const reach = anyFolderOf(principal);
  if (needsContent) await checkVisible(request, context);
  const reseal = await resealOf(request, context);
  return {
    needs: {
      itemIds: [data.itemId],
      ...(needsContent && { chunksOf: [data.itemId] }),
      // The item's folder at the time of the decision counts too, so all folders that the caller may name are loaded.
      folders: data.folderId === undefined ? reach : { ...reach, ids: [data.folderId, ...reach.ids] },
    },
    decide: (state, atMs) => decideUpdateItem(state, { commandId, principal, atMs, data: { command, reseal } }),
    answer: ({ entityId: itemId, position }) => ({ itemId, position }),
  };
};

export const updateItem: Command<'item.update'> = { waitsForKeywordIndex: true, prepare };
