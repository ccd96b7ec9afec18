import { randomUUID } from 'node:crypto';
import type { ItemKind, Tier } from '@cairn/contracts';
import { Database, tablesSql } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import { createKek, keyedHash, KeyRing, sealMeta, sealText, Vault } from '@cairn/vault';
import { InMemoryKeyStore } from '@cairn/vault/testing';
import type { Pool } from 'pg';
import { lexicalText } from './lexical/index.js';
import { LIBRARY_ENTITIES } from './library/library.entities.js';
import { PROJECTIONS } from './projections.js';

export interface SeedFolder {
  readonly workspaceId: string;
  readonly slug?: string;
  readonly name?: string;
  readonly tier?: Tier;
  readonly maxTokensPerRecall?: number;
}

export interface SeedChunk {
  readonly text: string;
  /** Absent while the embedder has not come to it. */
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
}

export interface SeededItem {
  readonly itemId: string;
  readonly chunkIds: readonly string[];
}

export const TEST_MODEL = 'test-model';

/** The read models on a PGlite of their own, filled row by row: for tests of what reads them. */
export class SeededLibrary {
  private position = 0;

  private constructor(
    readonly url: string,
    readonly database: Database,
    readonly kek: string,
    readonly vault: Vault,
    private readonly dispose: () => Promise<void>,
  ) {}

  static async start(): Promise<SeededLibrary> {
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
    return new SeededLibrary(server.url, database, kek, vault, async () => {
      await database.close();
      await server.stop();
    });
  }

  get pool(): Pool {
    return this.database.pool;
  }

  stop(): Promise<void> {
    return this.dispose();
  }

  async workspace(slug = `w-${randomUUID().slice(0, 8)}`): Promise<string> {
    const id = randomUUID();
    await this.pool.query(`insert into library.workspaces values ($1, $2, $2, now(), 0, '')`, [id, slug]);
    return id;
  }

  async folder({ workspaceId, tier = 'personal', ...given }: SeedFolder): Promise<string> {
    const id = randomUUID();
    const slug = given.slug ?? `f-${id.slice(0, 8)}`;
    await this.pool.query(
      `insert into library.folders
         (id, workspace_id, slug, name, tier, max_tokens_per_recall, readme, is_default, created_at)
       values ($1, $2, $3, $4, $5, $6, '', false, clock_timestamp())`,
      [id, workspaceId, slug, given.name ?? slug, tier, given.maxTokensPerRecall ?? null],
    );
    return id;
  }

  async item(item: SeedItem): Promise<SeededItem> {
    const itemId = randomUUID();
    const chunkIds = item.chunks.map(() => randomUUID());
    const keys = this.vault.mint(item.workspaceId, itemId, chunkIds);
    await this.vault.keep(item.workspaceId, itemId, keys);
    await this.insertItem(itemId, item, keys);
    for (const [ordinal, chunk] of item.chunks.entries()) {
      const chunkId = chunkIds[ordinal]!;
      const key = keys.chunks.get(chunkId)!;
      const hash = Buffer.from(keyedHash(key, chunk.text), 'hex');
      const wrapped = Buffer.from(keys.wrapped.chunks[chunkId]!, 'base64');
      const sealed = sealText(key, item.workspaceId, chunkId, chunk.text);
      await this.pool.query('insert into library.bodies values ($1, $2, $3, $4, $5, $6, $7)', [
        chunkId,
        itemId,
        ordinal,
        sealed,
        hash,
        wrapped,
        chunk.tokens ?? 1,
      ]);
      if (item.inKb !== false) await this.insertChunk({ itemId, chunkId, ordinal, hash }, item, chunk);
      if (chunk.vector) await this.embed(item.workspaceId, chunkId, hash, chunk.vector, chunk.model);
    }
    return { itemId, chunkIds };
  }

  private async insertItem(itemId: string, item: SeedItem, keys: ReturnType<Vault['mint']>): Promise<void> {
    const meta = sealMeta(keys.item, item.workspaceId, itemId, {
      title: item.title ?? 'Untitled',
      tags: [...(item.tags ?? [])],
      ...(item.sourceName === undefined ? {} : { sourceName: item.sourceName }),
    });
    await this.pool.query(
      `insert into library.items values
       ($1, $2, $3, $4, $5, 'agent', 'agent-1', 80, $6, $7, $7, '[]', $8, $9, $10, $11, now(), now())`,
      [
        itemId,
        item.workspaceId,
        item.folderId,
        item.inKb ?? true,
        item.kind ?? 'knowledge',
        item.expiresAt ?? null,
        item.supersededBy ?? null,
        meta,
        Buffer.from(keys.wrapped.item, 'base64'),
        item.chunks.length,
        ++this.position,
      ],
    );
  }

  private async insertChunk(
    ids: { itemId: string; chunkId: string; ordinal: number; hash: Buffer },
    item: SeedItem,
    { text, tokens = 1 }: SeedChunk,
  ): Promise<void> {
    const title = item.title ?? 'Untitled';
    const shared = [ids.chunkId, item.workspaceId, item.folderId, ids.itemId, item.supersededBy !== undefined];
    const searchable = `${title}\n${text}`;
    await this.pool.query(
      `insert into library.chunks
         (id, workspace_id, folder_id, item_id, superseded, expires_at, text_hash, tags, tokens, title, words)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_tsvector('simple', $11))`,
      [
        ...shared,
        item.expiresAt ?? null,
        ids.hash,
        item.tags ?? [],
        tokens,
        ids.ordinal === 0 ? title : null,
        searchable,
      ],
    );
    await this.pool.query('insert into lexical.documents values ($1, $2, $3, $4, $5, $6, $7)', [
      ...shared,
      item.expiresAt ?? null,
      lexicalText(searchable),
    ]);
    await this.pool.query(
      `update library.folders set chunk_count = chunk_count + 1, item_count = item_count + $2,
         token_count = token_count + $3 where id = $1`,
      [item.folderId, ids.ordinal === 0 ? 1 : 0, tokens],
    );
  }

  private async embed(
    workspaceId: string,
    chunkId: string,
    hash: Buffer,
    vector: readonly number[] | Float32Array,
    model = TEST_MODEL,
  ): Promise<void> {
    const text = `[${[...vector].join(',')}]`;
    await this.pool.query('insert into vectors.embeddings values ($1, $2, $3, $4, $5)', [
      chunkId,
      model,
      hash,
      workspaceId,
      text,
    ]);
  }
}
