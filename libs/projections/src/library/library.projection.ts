import type { Op } from '@cairn/contracts';
import { commandRecord } from '@cairn/domain';
import type { StoredOp } from '@cairn/op-log';
import type { Vault } from '@cairn/vault';
import { openItems, searchableText, type OpenedItem } from '../opened-item.js';
import type { PostgresProjection, StatementSink, Write } from '../projection.js';
import { arrayLiteral } from '../row-buffer.js';
import { libraryBuffers, type CommandRow, type LibraryBuffers } from './library.rows.js';
import { libraryTables } from './library.schema.js';

type OpOf<T extends Op['type']> = Extract<Op, { type: T }>;

const commandOf = (op: Op): CommandRow => {
  const { position, entityId: entity, type, tokenId: token, payloadHash: payload } = commandRecord(op);
  return { id: op.commandId, workspace: op.workspace, position, entity, type, token, payload };
};

/** Writes one batch. Rows are collected and go out in few statements; an update of earlier rows sends them out first. */
class LibraryBatch {
  private readonly buffers: LibraryBuffers = libraryBuffers();
  private readonly heads = new Map<string, { position: number; hash: string }>();
  private readonly commands = new Map<string, CommandRow>();
  private readonly clientTokens = new Map<string, Parameters<LibraryBuffers['clientTokens']['add']>[0]>();

  constructor(
    private readonly db: StatementSink,
    private readonly schema: string,
    private readonly opened: ReadonlyMap<number, OpenedItem>,
  ) {}

  apply(op: Op): void {
    this.heads.set(op.workspace, { position: op.position, hash: op.hash });
    const command = `${op.workspace}|${op.commandId}`;
    const first = this.commands.get(command) ?? commandOf(op);
    this.commands.set(command, { ...first, position: op.position });
    switch (op.type) {
      case 'workspace.created':
        return this.workspaceCreated(op);
      case 'folder.created':
        return this.folderCreated(op);
      case 'folder.configured':
        return this.folderConfigured(op);
      case 'token.issued':
        return this.tokenIssued(op);
      case 'token.revoked':
        return this.tokenRevoked(op);
      case 'item.stored':
        this.itemStored(op);
        return this.chunksStored(op);
      case 'item.extended':
        return this.chunksStored(op);
      case 'item.superseded':
        return this.itemSuperseded(op);
    }
  }

  finish(): void {
    for (const row of this.commands.values()) this.buffers.commands.add(row);
    for (const row of this.clientTokens.values()) this.buffers.clientTokens.add(row);
    this.flush();
    this.moveHeads();
  }

  private flush(): void {
    for (const buffer of Object.values(this.buffers)) buffer.flush(this.db, this.schema);
  }

  private update(sql: string, values: readonly unknown[]): void {
    this.flush();
    void this.db.query(sql, values);
  }

  private workspaceCreated({ data, at, position, hash }: OpOf<'workspace.created'>): void {
    this.buffers.workspaces.add({ id: data.workspaceId, slug: data.slug, name: data.name, at, head: position, hash });
  }

  private folderCreated({ data, at, workspace }: OpOf<'folder.created'>): void {
    const { folderId: id, slug, name, tier, maxTokensPerRecall: cap, readme, isDefault } = data;
    this.buffers.folders.add({ id, workspace, slug, name, tier, cap, readme, isDefault, at });
  }

  private folderConfigured({ data }: OpOf<'folder.configured'>): void {
    const capGiven = data.maxTokensPerRecall !== undefined;
    this.update(
      `update ${this.schema}.folders set name = coalesce($2, name), tier = coalesce($3, tier), readme = coalesce($4, readme),
        max_tokens_per_recall = case when $5::boolean then $6::int else max_tokens_per_recall end where id = $1`,
      [
        data.folderId,
        data.name ?? null,
        data.tier ?? null,
        data.readme ?? null,
        capGiven,
        data.maxTokensPerRecall ?? null,
      ],
    );
  }

  private tokenIssued({ data, at, workspace }: OpOf<'token.issued'>): void {
    this.buffers.tokens.add({
      id: data.tokenId,
      workspace,
      hash: data.secretHash,
      name: data.name,
      agent: data.agentId,
      scopes: arrayLiteral(data.scopes),
      isUnscoped: data.isUnscoped,
      folders: arrayLiteral(data.folderIds),
      kbOnly: data.kbOnly,
      toolsets: arrayLiteral(data.toolsets),
      rate: data.rateLimitPerHour,
      instanceAdmin: data.instanceAdmin,
      expires: data.expiresAt,
      at,
    });
  }

  private tokenRevoked({ data, at }: OpOf<'token.revoked'>): void {
    this.update(`update ${this.schema}.tokens set revoked_at = $2 where id = $1 and revoked_at is null`, [
      data.tokenId,
      at,
    ]);
  }

  private itemStored(op: OpOf<'item.stored'>): void {
    const { data, at, workspace, position } = op;
    this.buffers.items.add({
      id: data.itemId,
      workspace,
      folder: data.folderId,
      inKb: data.inKb,
      kind: data.kind,
      sourceKind: data.sourceKind,
      agent: data.createdByAgentId,
      confidence: data.confidence,
      expires: data.expiresAt,
      links: JSON.stringify(data.links),
      meta: Buffer.from(data.meta, 'base64'),
      key: this.opened.get(position)!.wrappedItemKey,
      chunks: data.chunkCount,
      position,
      at,
    });
    if (data.clientToken === null) return;
    const agent = data.createdByAgentId;
    this.clientTokens.set(`${workspace}|${agent}|${data.clientToken}`, {
      workspace,
      agent,
      token: data.clientToken,
      item: data.itemId,
      hash: data.payloadHash,
      at,
    });
  }

  private chunksStored({ data, workspace, position }: OpOf<'item.stored' | 'item.extended'>): void {
    const { meta, chunks } = this.opened.get(position)!;
    for (const chunk of chunks) {
      const hash = Buffer.from(chunk.textHash, 'hex');
      this.buffers.bodies.add({
        id: chunk.chunkId,
        item: data.itemId,
        ordinal: chunk.ordinal,
        text: Buffer.from(chunk.text, 'base64'),
        hash,
        key: chunk.wrappedKey,
        tokens: chunk.tokens,
      });
      if (!data.inKb) continue;
      this.buffers.chunks.add({
        id: chunk.chunkId,
        workspace,
        folder: data.folderId,
        item: data.itemId,
        hash,
        expires: data.expiresAt,
        tags: arrayLiteral(meta.tags),
        title: chunk.ordinal === 0 ? meta.title : null,
        plaintext: searchableText(meta, chunk.plaintext),
      });
    }
  }

  private itemSuperseded({ data, at }: OpOf<'item.superseded'>): void {
    this.update(`update ${this.schema}.items set superseded_by_id = $2, updated_at = $3 where id = $1`, [
      data.itemId,
      data.byItemId,
      at,
    ]);
    this.update(`update ${this.schema}.items set superseded_head_id = $2 where id = any($1::uuid[])`, [
      data.updatedIds,
      data.headId,
    ]);
    this.update(`update ${this.schema}.chunks set superseded = true where item_id = $1`, [data.itemId]);
  }

  private moveHeads(): void {
    const heads = [...this.heads];
    void this.db.query(
      `update ${this.schema}.workspaces w set head = x.head, head_hash = x.hash
       from unnest($1::uuid[], $2::bigint[], $3::text[]) as x(id, head, hash) where w.id = x.id`,
      [heads.map(([id]) => id), heads.map(([, head]) => head.position), heads.map(([, head]) => head.hash)],
    );
  }
}

export const libraryProjection = (vault: Vault): PostgresProjection<StoredOp> => ({
  name: 'library',
  version: 1,
  tableNames: ['workspaces', 'folders', 'tokens', 'items', 'bodies', 'chunks', 'commands', 'client_tokens'],
  tables: libraryTables,
  prepare: async (entries): Promise<Write> => {
    const ops = entries.map(({ op }) => op);
    const opened = await openItems(vault, ops);
    return (db, schema) => {
      const batch = new LibraryBatch(db, schema, opened);
      for (const op of ops) batch.apply(op);
      batch.finish();
    };
  },
});
