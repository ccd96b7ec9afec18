import {
  archiveLeft,
  eraseArchiveBeside,
  eraseLibraryBeside,
  eraseVectorRows,
  eraseWordsBeside,
  libraryLeft,
  vectorRowsLeft,
  wordsLeft,
} from './erase-beside.js';
import type { ErasureStores, Forgetting } from './erasure-stores.js';
import { documentsLeft, removeDocuments } from './opensearch-documents.js';

export interface ErasureStep {
  readonly store: string;
  /** For the receipt: how it is erased there. */
  readonly method: string;
  /** What is left there, counted. */
  readonly left: (stores: ErasureStores, forgetting: Forgetting) => Promise<number>;
  /** Erases it. Again does nothing, so that it can be taken up anew after any interruption. */
  readonly run: (stores: ErasureStores, forgetting: Forgetting) => Promise<void>;
}

/** Undefined: of all chunks, also of those that were forgotten one by one before. */
const chunksOf = ({ sourceRemoved, chunkIds }: Forgetting): readonly string[] | undefined =>
  sourceRemoved ? undefined : chunkIds;

/** First of all: from then on every copy that is left anywhere is ciphertext without a key. */
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

/** Also what the embedder had in hand at that moment and has published since. */
const vectorMessages: ErasureStep = {
  store: 'VECTORS',
  method: 'messages erased by subject',
  left: async ({ vectors }, forgetting) =>
    (await vectors.positionsOf(forgetting.workspaceId, forgetting.itemId, chunksOf(forgetting))).length,
  run: async ({ vectors }, forgetting) => {
    await vectors.erase(await vectors.positionsOf(forgetting.workspaceId, forgetting.itemId, chunksOf(forgetting)));
  },
};

/** Blanked by the projection itself, in the transaction that made the item invisible. */
const archive: ErasureStep = {
  store: 'archive',
  method: 'payloads blanked',
  left: archiveLeft,
  run: eraseArchiveBeside,
};

const library: ErasureStep = {
  store: 'library',
  method: 'rows deleted, tables rewritten',
  left: libraryLeft,
  run: eraseLibraryBeside,
};

const lexical: ErasureStep = {
  store: 'lexical',
  method: 'documents deleted, index rewritten',
  left: async (stores, forgetting) =>
    (await wordsLeft(stores, forgetting)) +
    (stores.openSearch ? await documentsLeft(stores.openSearch, forgetting) : 0),
  run: async (stores, forgetting) => {
    await eraseWordsBeside(stores, forgetting);
    if (stores.openSearch) await removeDocuments(stores.openSearch, forgetting);
  },
};

const vectorRows: ErasureStep = {
  store: 'vectors',
  method: 'rows deleted, tables rewritten',
  left: vectorRowsLeft,
  run: eraseVectorRows,
};

/** In this order: the keys first. */
export const ERASURE_STEPS: readonly ErasureStep[] = [keys, log, vectorMessages, vectorRows, archive, library, lexical];

export interface StoreFinding {
  readonly store: string;
  readonly method: string;
  readonly left: number;
}

/** Looks into every store for what is left. Reads only. */
export const findLeftovers = async (stores: ErasureStores, forgetting: Forgetting): Promise<StoreFinding[]> => {
  const findings: StoreFinding[] = [];
  for (const { store, method, left } of ERASURE_STEPS)
    findings.push({ store, method, left: await left(stores, forgetting) });
  return findings;
};
