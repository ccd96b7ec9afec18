import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import type { OpenSearchClient } from '@cairn/persistence';
import { searchableText } from '../opened-item.js';
import type { LexicalChange, LexicalDocument, LexicalPlace, LexicalSource } from './lexical-change.js';
import { lexicalText } from './lexical-text.js';
import { BM25_DEFAULT, type Bm25 } from './lexical.schema.js';
import { CHUNKS_INDICES, chunksIndexBody, generationAlias } from './opensearch-index.js';
import { markLines } from './opensearch-mark.js';
import { NOT_REMOVED, TOMBSTONE_MAPPING, tombstoneLines, versionedLines } from './opensearch-tombstone.js';

/** The index's reads from the library. */
export interface LexicalLibrary {
  /**
   * The chunks of an item as the library has them now. A change of a filter column rewrites the whole document: its text is
   * not in `_source`, so a partial update would remove it from the index. The library has the change, and maybe later ones:
   * only ids and texts are read from it if the op has the rest, and the op of a later text will arrive here too.
   */
  sourcesOf(itemId: string): Promise<readonly LexicalSource[]>;
  /** The items of a folder that are in the knowledge base. */
  itemsOf(folderId: string): Promise<readonly string[]>;
  /** Of these folders, the ones whose texts tools may return. An unknown folder is not one of them. */
  readableOf(folderIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface OpenSearchLexicalOptions {
  readonly library: LexicalLibrary;
  /** For a new index; an existing one keeps its own. */
  readonly bm25?: Bm25 | undefined;
}

type ItemChange =
  | Exclude<LexicalChange, { kind: 'tier' }>
  | { readonly kind: 'rewrite'; readonly position: number; readonly itemId: string };

/** Without a document, the chunk is removed from the index and replaced by a tombstone. */
interface Write {
  readonly position: number;
  readonly chunkId: string;
  readonly document?: LexicalDocument;
}

interface BulkResult {
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason?: string | null };
}

const BULK_DOCUMENTS_MAX = 500;
/** The limit for changes that read an item with all its texts: a folder whose tier changes may have any number of items. */
const ITEMS_AT_ONCE_MAX = 32;
const BUSY_TRIES_MAX = 6;
const BUSY_WAIT_MS = 100;
const TOO_BUSY = 'OpenSearch is too busy to take more; try again';

/** Writes carry the op's position as external version: an older one never overwrites a newer one, a repeat changes nothing. */
export class OpenSearchLexicalWriter {
  constructor(
    private readonly client: OpenSearchClient,
    private readonly options: OpenSearchLexicalOptions,
  ) {}

  /** Replaces an index by an empty one of another generation. */
  async recreateIndex(name: string, generation: string): Promise<void> {
    const aliases = { [generationAlias(generation)]: {} };
    const body = { ...chunksIndexBody(this.options.bm25 ?? BM25_DEFAULT), aliases };
    await orUnavailable(async () => {
      await this.client.indices.delete({ index: name, ignore_unavailable: true });
      await this.client.indices.create({ index: name, body, wait_for_active_shards: '1' });
      // An older build may have created others next to it, which are written to when content is forgotten.
      await this.client.indices.putMapping({ index: CHUNKS_INDICES, body: { properties: TOMBSTONE_MAPPING } });
    });
    await this.mark(generationAlias(generation), 0);
  }

  /** Records in the index up to which position it was written; called before the checkpoint moves. */
  async mark(alias: string, position: number): Promise<void> {
    const [result] = await this.bulkLines(alias, markLines(position));
    if (isRefusedForNow(result)) throw fail('lexical.unavailable', TOO_BUSY);
  }

  /** Into an alias only: OpenSearch never creates one by itself, as it may do with an index (ADR 0131). */
  async write(alias: string, changes: readonly LexicalChange[]): Promise<void> {
    const byItem = (await Promise.all(changes.map((change) => this.byItem(change)))).flat();
    const ready = byItem.filter(isComplete);
    const fromLibrary = byItem.filter((change) => !isComplete(change));
    // The versions keep the order of the log, whichever is written first.
    for (const some of slices(ready, BULK_DOCUMENTS_MAX)) await this.writeSome(alias, some);
    for (const some of slices(fromLibrary, ITEMS_AT_ONCE_MAX)) await this.writeSome(alias, some);
  }

  private async writeSome(alias: string, changes: readonly ItemChange[]): Promise<void> {
    const writes = await this.readable((await Promise.all(changes.map((change) => this.writesOf(change)))).flat());
    for (const documents of slices(writes, BULK_DOCUMENTS_MAX)) await this.bulk(alias, documents);
  }

  /** Makes the writes visible; called before the checkpoint moves. */
  async refresh(index: string): Promise<void> {
    await orUnavailable(() => this.client.indices.refresh({ index }));
  }

  /** Readers see the old index before this call and the new one after it. */
  async swapAlias(alias: string, index: string): Promise<void> {
    const actions = [{ remove: { index: '*', alias, must_exist: false } }, { add: { index, alias } }];
    await orUnavailable(() => this.client.indices.updateAliases({ body: { actions } }));
  }

  async dropIndex(name: string): Promise<void> {
    await orUnavailable(() => this.client.indices.delete({ index: name, ignore_unavailable: true }));
  }

  async count(index: string): Promise<number> {
    const { body } = await orUnavailable(() => this.client.count({ index, body: { query: NOT_REMOVED } }));
    return body.count;
  }

  /** When the tier of a folder changes, everything in it is rewritten, with its text or as a tombstone. */
  private async byItem(change: LexicalChange): Promise<ItemChange[]> {
    if (change.kind !== 'tier') return [change];
    const itemIds = await this.options.library.itemsOf(change.folderId);
    return itemIds.map((itemId) => ({ kind: 'rewrite', position: change.position, itemId }));
  }

  /** The only way into the index: a text that no tool may return becomes a tombstone there (ADR 0050). */
  private async readable(writes: readonly Write[]): Promise<Write[]> {
    const folderIds = new Set(writes.flatMap(({ document }) => document?.folderId ?? []));
    if (folderIds.size === 0) return [...writes];
    const readable = await this.options.library.readableOf([...folderIds]);
    return writes.map(({ position, chunkId, document }) =>
      document && readable.has(document.folderId) ? { position, chunkId, document } : { position, chunkId },
    );
  }

  private async writesOf(change: ItemChange): Promise<Write[]> {
    const { position } = change;
    if (change.kind === 'put') return [{ position, chunkId: change.document.chunkId, document: change.document }];
    if (change.kind === 'forget') return change.chunkIds.map((chunkId) => ({ position, chunkId }));
    const sources = await this.options.library.sourcesOf(change.itemId);
    if (change.kind === 'remove') return sources.map(({ chunkId }) => ({ position, chunkId }));
    if (change.kind === 'move') return sources.map((source) => writeOf(position, source, change.to));
    if (change.kind === 'rewrite') return sources.map((source) => writeOf(position, source, source.place));
    const indexed = sources.filter(({ inKb }) => change.inKb ?? inKb);
    return indexed.map((source) =>
      writeOf(position, source, { ...source.place, superseded: change.kind === 'supersede' }),
    );
  }

  /** A bulk answer is 200 even when some of its entries failed; each is checked, and only the rejected ones are retried. */
  private async bulk(alias: string, writes: readonly Write[]): Promise<void> {
    let open = writes;
    for (let tries = 0; open.length > 0; tries++) {
      if (tries === BUSY_TRIES_MAX) throw fail('lexical.unavailable', TOO_BUSY);
      if (tries > 0) await delay(BUSY_WAIT_MS * 2 ** (tries - 1));
      const results = await this.bulkLines(alias, open.flatMap(linesOf));
      open = open.filter((_, i) => isRefusedForNow(results[i]));
    }
  }

  private async bulkLines(alias: string, body: Record<string, unknown>[]): Promise<BulkResult[]> {
    const answer = await orUnavailable(() => this.client.bulk({ index: alias, require_alias: true, body }));
    return answer.body.items.map((item) => item.index as BulkResult);
  }
}

/** Whether the change carries all fields of the document. */
const isComplete = ({ kind }: ItemChange): boolean => kind === 'put' || kind === 'forget';

const slices = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

const writeOf = (position: number, source: LexicalSource, { title, ...place }: LexicalPlace): Write => {
  const { chunkId, workspaceId, itemId, text } = source;
  const document = { chunkId, workspaceId, itemId, ...place, body: searchableText(title, text) };
  return { position, chunkId, document };
};

const linesOf = ({ position, chunkId, document }: Write): Record<string, unknown>[] => {
  if (!document) return tombstoneLines(chunkId, position, new Date());
  const { chunkId: _, body, ...filters } = document;
  return versionedLines(chunkId, position, { ...filters, body: lexicalText(body) });
};

/** 409 means that a newer version is stored, which is fine. */
export const isRefusedForNow = (result: BulkResult | undefined): boolean => {
  if (result?.status === 429) return true;
  const isSettled = result && (result.status < 300 || result.status === 409);
  if (isSettled) return false;
  if (result?.status === 404)
    throw fail('lexical.unavailable', 'the keyword index does not exist in OpenSearch any more');
  throw fail('internal.defect', 'OpenSearch refused a document', { reason: result?.error?.type ?? 'no answer' });
};

export const orUnavailable = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (thrown) {
    throw fail('lexical.unavailable', 'OpenSearch is out of reach or refused the request', {}, thrown);
  }
};
