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

interface Links {
  readonly ids: readonly string[];
  /** The ends of the links, if the command names them; those of existing links are always loaded. */
  readonly itemIds: readonly string[];
}

interface Confirmations {
  readonly ids: readonly string[];
  readonly open?: boolean;
}

interface Mirror {
  readonly accountId: string;
  readonly key: string;
}

/** The state that a group of commands needs; only this part of the workspace is loaded. */
export interface Needs {
  readonly commandIds: readonly string[];
  readonly folders?: Folders;
  readonly tokenIds?: readonly string[];
  readonly itemIds?: readonly string[];
  /** Items whose ciphertext is needed as well. */
  readonly chunksOf?: readonly string[];
  readonly clientTokens?: readonly ({ readonly agentId: string } & ClientTokenUse)[];
  readonly workspaceSlugs?: readonly string[];
  readonly quotas?: boolean;
  /** All accounts of the workspace. */
  readonly accounts?: boolean;
  /** Accounts whose row items are needed, by id only. */
  readonly seriesOf?: readonly string[];
  /** The items of these documents, and the items that replace them or are replaced by them. */
  readonly mirrors?: readonly Mirror[];
  /** Items to forget, by id or by one of their chunks, together with the positions of their content in the log. */
  readonly forgetting?: Forgetting;
  readonly receiptIds?: readonly string[];
  /** Confirmations by id, and whether all waiting ones are needed as well. */
  readonly confirmations?: Confirmations;
  /** All external servers of the workspace. */
  readonly servers?: boolean;
  readonly links?: Links;
  readonly mergeIds?: readonly string[];
}

export type NeedName = keyof Needs;
export type Need<N extends NeedName> = NonNullable<Needs[N]>;

const all = <T>(lists: readonly (readonly T[])[]): readonly T[] => lists.flat();

/** Merges the needs of several commands into those of their group. */
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
  accounts: (needs) => needs.includes(true),
  seriesOf: all,
  mirrors: all,
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
  links: (needs) => ({
    ids: needs.flatMap(({ ids }) => ids),
    itemIds: needs.flatMap(({ itemIds }) => itemIds),
  }),
  mergeIds: all,
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
