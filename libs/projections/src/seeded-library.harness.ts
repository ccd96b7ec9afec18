import { randomUUID } from 'node:crypto';
import {
  GENESIS_HASH,
  SYSTEM_TOKEN_ID,
  VECTOR_DIMENSIONS,
  type DomainEvent,
  type EventData,
  type ItemKind,
  type OPLOG_STREAM,
  type TaskLink,
  type Tier,
} from '@cairn/contracts';
import { assert } from '@cairn/kernel';
import type { NewOp, StoredOp, WorkspaceHead } from '@cairn/op-log';
import { InMemoryOpLog } from '@cairn/op-log/testing';
import { Database, tablesSql } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import { createKek, keyedHash, KeyRing, sealMeta, sealText, sealVector, Vault, type ItemKeys } from '@cairn/vault';
import { InMemoryKeyStore } from '@cairn/vault/testing';
import type { Pool } from 'pg';
import { archive } from './archive/archive.projection.js';
import { graph } from './graph/graph.projection.js';
import { lexical } from './lexical/lexical.projection.js';
import { library } from './library/library.projection.js';
import { LIBRARY_ENTITIES } from './library/library-entities.js';
import type { Projection, StatementSink, StreamName, Streams } from './projection.js';
import { PROJECTIONS } from './projections.js';
import { vectors } from './vectors/vectors.projection.js';

const EMPTY_HEAD: WorkspaceHead = { position: 0, hash: GENESIS_HASH };

export interface SeedFolder {
  readonly workspaceId: string;
  readonly slug?: string;
  readonly name?: string;
  readonly tier?: Tier;
  readonly maxTokensPerRecall?: number;
  readonly readme?: string;
}

export interface SeedChunk {
  readonly text: string;
  /** Absent until the embedder has processed it. */
  readonly vector?: readonly number[] | Float32Array;
  readonly model?: string;
  readonly tokens?: number;
}

export interface SeedItem {
  readonly workspaceId: string;
  readonly folderId: string;
  readonly chunks: readonly SeedChunk[];
  readonly title?: string;
  readonly sourceName?: string;
  readonly tags?: readonly string[];
  readonly inKb?: boolean;
  readonly kind?: ItemKind;
  readonly supersededBy?: string;
  readonly expiresAt?: string;
  /** Unencrypted, as in ops written before `meta` carried them. */
  readonly links?: TaskLink[];
}

export interface SeededItem {
  readonly itemId: string;
  readonly chunkIds: readonly string[];
  /** The position of the op that stored it. */
  readonly position: number;
}

export interface SeedVector {
  readonly workspaceId: string;
  readonly itemId: string;
  readonly chunkId: string;
  readonly text: string;
  /** null if the embedder gave the text up. */
  readonly vector: readonly number[] | Float32Array | null;
  readonly model?: string;
  /** The position of the op that the text comes from. */
  readonly position: number;
}

export const TEST_MODEL = 'test-model';

const SYSTEM: NewOp['actor'] = { kind: 'system', tokenId: SYSTEM_TOKEN_ID, agentId: 'cairn' };

/** Unused: nothing is forgotten here, so no handler erases a vector. */
const NO_VECTOR_LOG = undefined as never;

/** The read models on their own PGlite, filled by the projections' handlers, for tests of the code that reads them. */
export class SeededLibrary {
  private readonly log = new InMemoryOpLog();
  private readonly entries = this.log.read(1);
  private readonly heads = new Map<string, WorkspaceHead>();
  private lastWork: Promise<unknown> = Promise.resolve();
  private vectorPosition = 0;

  /** Whether texts are read for the graph, which takes longer than everything else. */
  private readsGraph = false;

  private constructor(
    readonly url: string,
    readonly database: Database,
    readonly kek: string,
    readonly vault: Vault,
    private readonly dispose: () => Promise<void>,
  ) {}

  static async start({ graph: readsGraph = false } = {}): Promise<SeededLibrary> {
    const server = await TestPglite.start();
    const database = await Database.connect({
      url: server.url,
      applicationName: 'seeded-library',
      entities: LIBRARY_ENTITIES,
    });
    await database.migrate();
    for (const projection of PROJECTIONS) {
      const { name } = projection;
      for (const sql of [tablesSql(name, projection.tables), ...projection.indexes(name, {})])
        await database.pool.query(sql);
    }
    const kek = createKek();
    const vault = new Vault(new KeyRing({ kek }), new InMemoryKeyStore());
    await vault.foundSecrets([]);
    const library = new SeededLibrary(server.url, database, kek, vault, async () => {
      await database.close();
      await server.stop();
    });
    library.readsGraph = readsGraph;
    return library;
  }

  get pool(): Pool {
    return this.database.pool;
  }

  stop(): Promise<void> {
    return this.dispose();
  }

  async workspace(slug = `w-${randomUUID().slice(0, 8)}`): Promise<string> {
    const workspaceId = randomUUID();
    await this.apply(workspaceId, { type: 'workspace.created', data: { workspaceId, slug, name: slug } });
    return workspaceId;
  }

  async folder({ workspaceId, tier = 'personal', ...given }: SeedFolder): Promise<string> {
    const folderId = randomUUID();
    const { slug = `f-${folderId.slice(0, 8)}`, name = slug, maxTokensPerRecall = null, readme = '' } = given;
    const data = { folderId, slug, name, tier, maxTokensPerRecall, readme, isDefault: false };
    await this.apply(workspaceId, { type: 'folder.created', data });
    return folderId;
  }

  async item(item: SeedItem): Promise<SeededItem> {
    const itemId = randomUUID();
    const chunkIds = item.chunks.map(() => randomUUID());
    const { workspaceId, inKb = true, supersededBy: byItemId } = item;
    const keys = this.vault.mint(workspaceId, itemId, chunkIds);
    await this.vault.keep(workspaceId, itemId, keys);
    const position = await this.apply(workspaceId, { type: 'item.stored', data: storedItem(itemId, item, keys) });
    if (byItemId !== undefined) {
      const data = { itemId, byItemId, updatedIds: [itemId], headId: byItemId, inKb };
      await this.apply(workspaceId, { type: 'item.superseded', data });
    }
    for (const [i, { text, vector, model }] of item.chunks.entries())
      if (vector)
        await this.embed({
          workspaceId,
          itemId,
          chunkId: chunkIds[i]!,
          text,
          vector,
          position,
          ...(model && { model }),
        });
    return { itemId, chunkIds, position };
  }

  /** Adds as many chunks with random vectors as a large library has; as ops they would take minutes. */
  async fill({ workspaceId, folderId }: Pick<SeedItem, 'workspaceId' | 'folderId'>, count: number): Promise<void> {
    const first = this.vectorPosition + 1;
    this.vectorPosition += count;
    await this.pool.query(
      `with added as (
         insert into library.chunks (id, workspace_id, folder_id, item_id, text_hash, superseded, tags, tokens, words)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), '\\x01', false, '{}', 1, '' from generate_series(1, $3::int)
         returning id
       )
       insert into vectors.embeddings (chunk_id, model, text_hash, workspace_id, seq, embedding)
       select id, $4, '\\x01', $1, $5::bigint - 1 + row_number() over (),
         (select array_agg(random() - 0.5) from generate_series(1, ${VECTOR_DIMENSIONS}) where id is not null)::vector
       from added`,
      [workspaceId, folderId, count, TEST_MODEL, first],
    );
    await this.pool.query('update library.folders set chunk_count = chunk_count + $2 where id = $1', [folderId, count]);
  }

  /** The event that changes an item to `item`: it repeats the texts if the item is in the knowledge base. */
  async placed({ itemId }: SeededItem, item: SeedItem): Promise<DomainEvent> {
    const keys = await this.vault.livingKeys(item.workspaceId, itemId);
    assert(keys, 'the item has no keys');
    const { folderId, inKb, expiresAt, meta, chunks } = storedItem(itemId, item, keys);
    const data = { itemId, folderId, inKb, wasInKb: true, superseded: false, expiresAt, meta };
    return { type: 'item.placed', data: { ...data, chunks: inKb ? chunks : [] } };
  }

  /** Changes the text of a chunk, without a vector for it yet. Returns the position of the op. */
  async correct({ itemId, chunkIds }: SeededItem, ordinal: number, item: SeedItem, newText: string): Promise<number> {
    const { workspaceId } = item;
    const keys = await this.vault.livingKeys(workspaceId, itemId);
    assert(keys, 'the item has no keys');
    const chunkId = chunkIds[ordinal]!;
    const key = keys.chunks.get(chunkId)!;
    const { folderId, inKb, expiresAt, meta, chunks } = storedItem(itemId, item, keys);
    const { text: oldText, textHash: oldTextHash, tokens } = chunks[ordinal]!;
    const sealed = sealText(key, workspaceId, chunkId, newText).toString('base64');
    const texts = { oldText, oldTextHash, newText: sealed, textHash: keyedHash(key, newText), tokens };
    const place = { itemId, folderId, inKb, superseded: false, expiresAt, meta };
    const data = { chunkId, correctionId: randomUUID(), ordinal, ...texts, ...place };
    return this.apply(workspaceId, { type: 'chunk.corrected', data });
  }

  /** Appends an op, applies it to all projections of the log, and returns its position. */
  apply(workspaceId: string, event: DomainEvent): Promise<number> {
    return this.applyTo([library, archive, lexical, ...(this.readsGraph ? [graph] : [])], workspaceId, event);
  }

  /** Like `apply`, but the keyword index lags behind and still holds the previous state. */
  applyBeforeIndex(workspaceId: string, event: DomainEvent): Promise<number> {
    return this.applyTo([library, archive], workspaceId, event);
  }

  private applyTo(
    projections: readonly Projection<typeof OPLOG_STREAM>[],
    workspaceId: string,
    event: DomainEvent,
  ): Promise<number> {
    return this.inTurn(async () => {
      const stored = await this.append(workspaceId, event);
      for (const projection of projections) await this.write(projection, [stored]);
      return stored.position;
    });
  }

  /** Sets a checkpoint as the runner of a projection would after applying everything up to this position. */
  async checkpoint(name: string, position: number): Promise<void> {
    await this.pool.query(
      'insert into cairn.projections (name, version, position, epoch, applied_at) values ($1, 1, $2, 1, now())',
      [name, position],
    );
  }

  /** Appends an op with a given time to the archive only. */
  record(workspaceId: string, event: DomainEvent, at: string): Promise<StoredOp> {
    return this.inTurn(async () => {
      const stored = await this.append(workspaceId, event, at);
      await this.write(archive, [stored]);
      return stored;
    });
  }

  /** Each append expects the head that the previous one left. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.lastWork.then(work);
    this.lastWork = done.catch(() => undefined);
    return done;
  }

  private async append(workspaceId: string, event: DomainEvent, at = new Date().toISOString()): Promise<StoredOp> {
    const id = randomUUID();
    const op = { id, event, actor: SYSTEM, at, commandId: id, correlationId: id };
    const outcome = await this.log.append(workspaceId, this.heads.get(workspaceId) ?? EMPTY_HEAD, [op]);
    assert(outcome.kind === 'appended', `the append ended in ${outcome.kind}`);
    const [stored] = await this.entries.next(1, 0);
    assert(stored, 'the op that was appended cannot be read');
    this.heads.set(workspaceId, { position: stored.position, hash: stored.op.hash });
    return stored;
  }

  /** Publishes the embedder's answer to an op: a vector, or the message that the text was given up. */
  async embed({ workspaceId, itemId, chunkId, text, vector, model = TEST_MODEL, position }: SeedVector): Promise<void> {
    const key = (await this.vault.livingKeys(workspaceId, itemId))!.chunks.get(chunkId)!;
    const sealed = vector && sealVector(key, workspaceId, chunkId, Float32Array.from(vector)).toString('base64');
    const [textHash, dims] = [keyedHash(key, text), VECTOR_DIMENSIONS];
    const message = { workspace: workspaceId, itemId, chunkId, textHash, model, dims, position, vector: sealed };
    await this.write(vectors, [{ position: ++this.vectorPosition, message }]);
  }

  private async write<S extends StreamName>(projection: Projection<S>, entries: readonly Streams[S][]): Promise<void> {
    const write = await projection.handler({ vault: this.vault, vectors: NO_VECTOR_LOG }).prepare(entries);
    const statements: [string, readonly unknown[]][] = [];
    const query: StatementSink['query'] = (sql, values = []) => Promise.resolve(statements.push([sql, values]));
    write({ query }, projection.name);
    for (const [sql, values] of statements) await this.pool.query(sql, [...values]);
  }
}

const storedItem = (itemId: string, item: SeedItem, keys: ItemKeys): EventData<'item.stored'> => {
  const { workspaceId, folderId, inKb = true, kind = 'knowledge', title = 'Untitled', tags = [], sourceName } = item;
  const meta = { title, tags: [...tags], ...(sourceName !== undefined && { sourceName }) };
  return {
    itemId,
    folderId,
    inKb,
    kind,
    sourceKind: 'agent',
    createdByAgentId: 'agent-1',
    confidence: 80,
    expiresAt: item.expiresAt ?? null,
    ...(item.links && { links: item.links }),
    meta: sealMeta(keys.item, workspaceId, itemId, meta).toString('base64'),
    chunkCount: item.chunks.length,
    chunks: [...keys.chunks].map(([chunkId, key], ordinal) => {
      const { text, tokens = 1 } = item.chunks[ordinal]!;
      const sealed = sealText(key, workspaceId, chunkId, text).toString('base64');
      return { chunkId, ordinal, text: sealed, textHash: keyedHash(key, text), tokens };
    }),
  };
};
