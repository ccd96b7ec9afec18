import type { ClientTokenUse } from '@cairn/contracts';

interface Folders {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  readonly all?: boolean;
}

interface Forgetting {
  readonly itemIds: readonly string[];
  readonly chunkIds: readonly string[];
}

interface Confirmations {
  readonly ids: readonly string[];
  readonly open?: boolean;
}

/** What a group of commands needs; only this part of the workspace is loaded. */
export interface Needs {
  readonly commandIds: readonly string[];
  readonly folders?: Folders;
  readonly tokenIds?: readonly string[];
  readonly itemIds?: readonly string[];
  /** Items whose ciphertext is needed too. */
  readonly chunksOf?: readonly string[];
  readonly clientTokens?: readonly ({ readonly agentId: string } & ClientTokenUse)[];
  readonly workspaceSlugs?: readonly string[];
  readonly quotas?: boolean;
  /** Items to forget, by id or by one of their chunks, and with them where in the log their content is. */
  readonly forgetting?: Forgetting;
  readonly receiptIds?: readonly string[];
  /** By id, and whether all that still wait are needed too. */
  readonly confirmations?: Confirmations;
  /** All external servers of the workspace. */
  readonly servers?: boolean;
}

export type NeedName = keyof Needs;
export type Need<N extends NeedName> = NonNullable<Needs[N]>;

const all = <T>(lists: readonly (readonly T[])[]): readonly T[] => lists.flat();

/** How the needs of several commands become those of their group. */
const MERGE: { readonly [N in NeedName]: (needs: readonly Need<N>[]) => Need<N> } = {
  commandIds: all,
  folders: (needs) => ({
    ids: needs.flatMap(({ ids }) => ids),
    slugs: needs.flatMap(({ slugs }) => slugs),
    all: needs.some((need) => need.all === true),
  }),
  tokenIds: all,
  itemIds: all,
  chunksOf: all,
  clientTokens: all,
  workspaceSlugs: all,
  quotas: (needs) => needs.includes(true),
  forgetting: (needs) => ({
    itemIds: needs.flatMap(({ itemIds }) => itemIds),
    chunkIds: needs.flatMap(({ chunkIds }) => chunkIds),
  }),
  receiptIds: all,
  confirmations: (needs) => ({
    ids: needs.flatMap(({ ids }) => ids),
    open: needs.some(({ open }) => open === true),
  }),
  servers: (needs) => needs.includes(true),
};

const mergeOne = <N extends NeedName>(name: N, group: readonly Needs[]): [N, Need<N>][] => {
  const given = group.map((needs) => needs[name]).filter((need) => need !== undefined);
  return given.length === 0 ? [] : [[name, MERGE[name](given)]];
};

export const NEED_NAMES = Object.keys(MERGE) as readonly NeedName[];

export const mergeNeeds = (group: readonly Needs[]): Needs => ({
  commandIds: [],
  ...Object.fromEntries(NEED_NAMES.flatMap((name) => mergeOne(name, group))),
});
