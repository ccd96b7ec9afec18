import { homeOf } from '../home.js';
import type { Projection } from '../projection.js';
import { PROJECTIONS } from '../projections.js';
import type { Stores } from '../stores.js';
import { eraseRows, rowsLeft } from './erase-rows.js';
import type { Forgetting } from './forgettings.js';

export interface ErasureStep {
  readonly store: string;
  /** The store's method of erasure, for the receipt. */
  readonly method: string;
  /** Counts the forgotten content that is left in the store. */
  readonly left: (stores: Stores, forgetting: Forgetting) => Promise<number>;
  /** Erases the forgotten content. Repeating it does nothing, so it can be retried after any interruption. */
  readonly run: (stores: Stores, forgetting: Forgetting) => Promise<void>;
}

/** Undefined means all chunks, including those that were forgotten individually before. */
const chunksOf = ({ sourceRemoved, chunkIds }: Forgetting): readonly string[] | undefined =>
  sourceRemoved ? undefined : chunkIds;

/** The first step: afterwards every copy that is left anywhere is ciphertext without a key. */
const keys: ErasureStep = {
  store: 'KEYS',
  method: 'keys destroyed, older revisions erased',
  left: ({ vault }, forgetting) => vault.keysLeft(forgetting.workspaceId, forgetting.itemId, chunksOf(forgetting)),
  run: async ({ vault }, { workspaceId, itemId, sourceRemoved, chunkIds }) => {
    if (sourceRemoved) await vault.destroy(workspaceId, itemId);
    else await vault.destroyChunks(workspaceId, itemId, chunkIds);
  },
};

const log: ErasureStep = {
  store: 'OPLOG',
  method: 'messages erased by position',
  left: async (stores, { erased }) => (await stores.log.present(erased)).length,
  run: (stores, { erased }) => stores.log.erase(erased),
};

/** Includes vectors that the embedder was computing at that time and has published since. */
const vectorMessages: ErasureStep = {
  store: 'VECTORS',
  method: 'messages erased by subject',
  left: async ({ vectors }, forgetting) =>
    (await vectors.positionsOf(forgetting.workspaceId, forgetting.itemId, chunksOf(forgetting))).length,
  run: async ({ vectors }, forgetting) => {
    await vectors.erase(await vectors.positionsOf(forgetting.workspaceId, forgetting.itemId, chunksOf(forgetting)));
  },
};

const stepOf = (projection: Projection): ErasureStep[] => {
  const { name, erases } = projection;
  if (erases === 'nothing') return [];
  return [
    {
      store: name,
      method: erases.method,
      left: async (stores, forgetting) =>
        (await rowsLeft(stores.pool, projection, erases, forgetting)) +
        ((await homeOf(projection, stores).outside?.left(forgetting)) ?? 0),
      run: async (stores, forgetting) => {
        await eraseRows(stores.pool, projection, erases, forgetting);
        await homeOf(projection, stores).outside?.erase(forgetting);
      },
    },
  ];
};

/** In this order, with the keys first. */
export const ERASURE_STEPS: readonly ErasureStep[] = [keys, log, vectorMessages, ...PROJECTIONS.flatMap(stepOf)];

export interface StoreFinding {
  readonly store: string;
  readonly method: string;
  readonly left: number;
}

/** Checks every store for forgotten content that is left. Read-only. */
export const findLeftovers = async (stores: Stores, forgetting: Forgetting): Promise<StoreFinding[]> => {
  const findings: StoreFinding[] = [];
  for (const { store, method, left } of ERASURE_STEPS)
    findings.push({ store, method, left: await left(stores, forgetting) });
  return findings;
};
