import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import { assert, uuidV7 } from '@cairn/kernel';
import type { Checkpoint, ProjectionTarget, StoredOp } from '@cairn/op-log';
import { databaseError, type OpenSearchClient } from '@cairn/persistence';
import { openMeta, openText, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { inTransaction, readSlot, type Slot } from '../slots.js';
import type { LexicalChange, LexicalSource } from './lexical-change.js';
import { lossOf, recordedIndex, type RecordedIndex } from './opensearch-generation.js';
import { chunksIndex, generationAlias } from './opensearch-index.js';
import { lexicalChanges } from './lexical-changes.js';
import type { LexicalLibrary, OpenSearchLexicalWriter } from './opensearch-lexical-writer.js';

const LIBRARY_WAIT_MS = 10_000;
const LIBRARY_POLL_MS = 20;

/**
 * The old rows tell up to where the index is incomplete from now on. The library is ahead of the index, unless its own
 * layout has changed.
 */
const RENEW = `
update cairn.projections
  set generation = $2, epoch = epoch + 1, position = 0,
    rebuilt_to = greatest(position, (select position from cairn.projections where name = 'library'))
  where name = $1`;

export interface OpenSearchTargetOptions {
  readonly client: OpenSearchClient;
  readonly pool: Pool;
  readonly vault: Vault;
  readonly writer: OpenSearchLexicalWriter;
  /** The row of cairn.projections that holds the checkpoint; its version names the index. */
  readonly slot: string;
  /** The name that readers use, for the live slot. */
  readonly alias?: string | undefined;
}

/**
 * `lexical` in OpenSearch. The index cannot share a transaction with the checkpoint, so it is written and refreshed
 * first; a repeat after a crash in between changes nothing, because every write carries its position as version.
 */
export class OpenSearchTarget implements ProjectionTarget<StoredOp> {
  readonly name: string;
  /** The alias of the index's generation. */
  private index = '';

  constructor(private readonly options: OpenSearchTargetOptions) {
    this.name = options.slot;
  }

  /** An index that is lost is created again, empty, and filled from the first op on. */
  async checkpoint(): Promise<Checkpoint> {
    const { client, writer, alias } = this.options;
    const found = await this.recorded();
    if ((await lossOf(client, found)) !== undefined) await this.renew(found);
    const slot = await this.slot();
    const { generation } = await this.recorded();
    assert(generation !== null, `the index of ${this.name} has no generation`);
    this.index = generationAlias(generation);
    if (alias !== undefined) await writer.swapAlias(alias, chunksIndex(slot.version));
    return slot.checkpoint;
  }

  async apply(entries: readonly StoredOp[], expected: Checkpoint, reached: number): Promise<'applied' | 'fenced'> {
    const { vault, writer } = this.options;
    // Checked before the write too: an index that was replaced is deleted, and must not be created again.
    const now = await this.slot();
    if (now.checkpoint.epoch !== expected.epoch || now.checkpoint.position !== expected.position) return 'fenced';
    const changes = await lexicalChanges(
      vault,
      entries.map(({ op }) => op),
    );
    if (changes.length > 0) {
      await this.libraryHas(changes);
      await writer.write(this.index, changes);
    }
    await writer.mark(this.index, reached);
    if (changes.length > 0) await writer.refresh(this.index);
    return this.move(expected, reached);
  }

  /**
   * Some changes read texts from the library, and all of them read whether tools may return the content of a folder. A
   * library that is behind may still hold the text before a correction or the tier before a change, so it goes first.
   */
  private async libraryHas(changes: readonly LexicalChange[]): Promise<void> {
    const needed = changes.at(-1)?.position ?? 0;
    const deadline = performance.now() + LIBRARY_WAIT_MS;
    while (needed > 0) {
      const library = await this.slot('library');
      if (library.checkpoint.position >= needed) return;
      if (performance.now() > deadline) throw fail('projection.unavailable', 'the library is behind the keyword index');
      await delay(LIBRARY_POLL_MS);
    }
  }

  private async slot(name = this.options.slot): Promise<Slot> {
    const slot = await readSlot(this.options.pool, name).catch((thrown: unknown) => {
      throw fail('projection.unavailable', 'Postgres is unavailable', {}, thrown);
    });
    assert(slot, `projection ${name} has no checkpoint row`);
    return slot;
  }

  private async recorded(): Promise<RecordedIndex> {
    return recordedIndex(this.options.pool, this.name).catch((thrown: unknown) => {
      throw databaseError(thrown);
    });
  }

  /**
   * Several processes may find the index lost: the first one holds the row while it creates the index, and the others
   * then find another generation. A process that still writes the lost one is fenced by the epoch.
   */
  private async renew(found: RecordedIndex): Promise<void> {
    const { pool, writer } = this.options;
    const { version } = await this.slot();
    const generation = uuidV7();
    await inTransaction(pool, async (client) => {
      const now = await recordedIndex(client, this.name, { lock: true });
      if (now.generation !== found.generation) return;
      await writer.recreateIndex(chunksIndex(version), generation);
      await client.query(RENEW, [this.name, generation]);
    }).catch((thrown: unknown) => {
      throw databaseError(thrown);
    });
  }

  private async move({ position, epoch }: Checkpoint, reached: number): Promise<'applied' | 'fenced'> {
    try {
      await this.options.pool.query('select cairn.move_checkpoint($1, $2, $3, $4)', [
        this.name,
        position,
        epoch,
        reached,
      ]);
      return 'applied';
    } catch (thrown) {
      if ((thrown as { code?: string }).code === 'CAF01') return 'fenced';
      throw fail('projection.unavailable', 'Postgres is unavailable', {}, thrown);
    }
  }
}

interface BodyRow {
  readonly chunk_id: string;
  readonly item_id: string;
  readonly workspace_id: string;
  readonly folder_id: string;
  readonly in_kb: boolean;
  readonly superseded: boolean;
  readonly expires_at: Date | null;
  readonly text: Buffer;
  readonly chunk_key: Buffer;
  readonly meta: Buffer;
  readonly item_key: Buffer;
}

/** Reads the index's data from the library in Postgres. */
export const lexicalLibrary = (pool: Pool, vault: Vault): LexicalLibrary => ({
  sourcesOf: async (itemId) => {
    const { rows } = await pool.query<BodyRow>(
      `select b.chunk_id, b.item_id, i.workspace_id, i.folder_id, i.in_kb, i.superseded_by_id is not null as superseded,
         i.expires_at, b.text, b.wrapped_key as chunk_key, i.meta, i.wrapped_key as item_key
       from library.bodies b join library.items i on i.id = b.item_id where i.id = $1`,
      [itemId],
    );
    return rows.map((row) => sourceOf(vault, row));
  },
  itemsOf: async (folderId) => {
    const sql = 'select id from library.items where folder_id = $1 and in_kb order by position';
    const { rows } = await pool.query<{ id: string }>(sql, [folderId]);
    return rows.map(({ id }) => id);
  },
  readableOf: async (folderIds) => {
    const sql = `select id from library.folders where id = any ($1::uuid[]) and tier <> 'sensitive'`;
    const { rows } = await pool.query<{ id: string }>(sql, [folderIds]);
    return new Set(rows.map(({ id }) => id));
  },
});

const sourceOf = (vault: Vault, row: BodyRow): LexicalSource => {
  const { workspace_id: workspaceId, item_id: itemId, chunk_id: chunkId } = row;
  const { title } = openMeta(vault.unwrap(workspaceId, itemId, row.item_key), workspaceId, itemId, row.meta);
  const expiresAt = row.expires_at?.toISOString() ?? null;
  return {
    chunkId,
    workspaceId,
    itemId,
    inKb: row.in_kb,
    place: { folderId: row.folder_id, superseded: row.superseded, expiresAt, title },
    text: openText(vault.unwrap(workspaceId, chunkId, row.chunk_key), workspaceId, chunkId, row.text),
  };
};
