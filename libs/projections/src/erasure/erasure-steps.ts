import { nextSlotName } from '../slots.js';
import { CHUNKS_ALIAS } from '../lexical/opensearch-index.js';
import type { ErasureStores, Forgetting } from './erasure-stores.js';
import { VECTORS_REWRITE } from './rewrite-vectors.js';

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

const count = async ({ pool }: ErasureStores, sql: string, values: readonly unknown[]): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(`select (${sql})::int as n`, values as unknown[]);
  return rows[0]!.n;
};

/** Blanked by the projection itself, in the transaction that made the item invisible. */
const archive: ErasureStep = {
  store: 'archive',
  method: 'payloads blanked',
  left: (stores, { erased }) =>
    count(
      stores,
      `select count(*) from archive.ops where position = any ($1::bigint[])
         and convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'content' is distinct from '<forgotten>'`,
      [erased],
    ),
  run: () => Promise.resolve(),
};

const library: ErasureStep = {
  store: 'library',
  method: 'rows deleted, tables rewritten',
  left: (stores, { itemId, chunkIds, sourceRemoved }) =>
    count(
      stores,
      `(select count(*) from library.items where $3 and id = $1)
       + (select count(*) from library.bodies where chunk_id = any ($2::uuid[]) or ($3 and item_id = $1))
       + (select count(*) from library.chunks where id = any ($2::uuid[]) or ($3 and item_id = $1))`,
      [itemId, chunkIds, sourceRemoved],
    ),
  run: () => Promise.resolve(),
};

const lexical: ErasureStep = {
  store: 'lexical',
  method: 'documents deleted, index rewritten',
  left: async (stores, { itemId, chunkIds, sourceRemoved }) => {
    const { openSearch } = stores;
    if (!openSearch) {
      const which = 'chunk_id = any ($2::uuid[]) or ($3 and item_id = $1)';
      return count(stores, `select count(*) from lexical.documents where ${which}`, [itemId, chunkIds, sourceRemoved]);
    }
    await openSearch.indices.refresh({ index: CHUNKS_ALIAS });
    const ids = { ids: { values: [...chunkIds] } };
    const query = sourceRemoved ? { bool: { should: [ids, { term: { itemId } }] } } : ids;
    const { body } = await openSearch.count({ index: CHUNKS_ALIAS, body: { query } });
    return body.count;
  },
  run: () => Promise.resolve(),
};

/** The vectors follow another stream, which knows nothing of forgetting: their rows are taken away here. */
const vectorRows: ErasureStep = {
  store: 'vectors',
  method: 'rows deleted, tables rewritten',
  left: (stores, { chunkIds }) =>
    count(
      stores,
      `(select count(*) from vectors.embeddings where chunk_id = any ($1::uuid[]))
       + (select count(*) from vectors.failures where chunk_id = any ($1::uuid[]))`,
      [chunkIds],
    ),
  run: async (stores, { chunkIds }) => {
    for (const slot of ['vectors', nextSlotName('vectors'), VECTORS_REWRITE]) {
      for (const table of [`${slot}.embeddings`, `${slot}.failures`]) {
        if ((await count(stores, 'to_regclass($1) is not null', [table])) === 0) continue;
        await stores.pool.query(`delete from ${table} where chunk_id = any ($1::uuid[])`, [chunkIds]);
      }
    }
  },
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
