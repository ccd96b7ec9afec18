import { notFound } from '@cairn/access';
import type { CommandData, MergeAnchor } from '@cairn/contracts';
import { decideMergeEntities, decideSplitEntities } from '@cairn/domain';
import { sealName, type Vault } from '@cairn/vault';
import { anyFolderOf, at, type Command } from './command.js';

type Place = CommandData<'entity.merge'>['alias'][number];

/** Seals each name under the key of the chunk that contains it, so the name is destroyed with that chunk. */
const sealAnchor = async (
  vault: Vault,
  workspaceId: string,
  { itemId, chunkId }: Place,
  name: string,
  field: string,
): Promise<MergeAnchor> => {
  const key = (await vault.find(workspaceId, itemId))?.chunks.get(chunkId);
  if (!key) throw notFound('entity', { field });
  return { itemId, chunkId, name: sealName(key, workspaceId, chunkId, name).toString('base64') };
};

export const mergeEntities: Command<'entity.merge'> = {
  // The id follows from the key and the entities of the request. Names and places are not hashed: a name must not be
  // confirmed by a hash, and each new text moves the places.
  generatedFields: ['alias', 'canonical', 'names'],
  prepare: async (request, { vault }) => {
    const { principal, data } = request;
    const { mergeId, alias, canonical, names } = data;
    const seal = (places: readonly Place[], given: readonly string[], field: string): Promise<MergeAnchor[]> =>
      Promise.all(places.map((place, i) => sealAnchor(vault, principal.workspaceId, place, given[i]!, field)));
    const sealed = {
      mergeId,
      alias: await seal(alias, names.alias, 'aliasId'),
      canonical: await seal(canonical, names.canonical, 'canonicalId'),
    };
    return {
      needs: {
        itemIds: [...alias, ...canonical].map(({ itemId }) => itemId),
        folders: anyFolderOf(principal),
      },
      decide: (state, atMs) => decideMergeEntities(state, { ...at(request, atMs), data: sealed }),
      answer: ({ entityId, position }) => ({ mergeId: entityId, position }),
    };
  },
};

export const splitEntities: Command<'entity.split'> = {
  prepare: (request) => ({
    needs: { mergeIds: [request.data.mergeId] },
    decide: (state, atMs) => decideSplitEntities(state, at(request, atMs)),
    answer: ({ entityId: mergeId, position }) => ({ mergeId, position }),
  }),
};
