import { OPLOG_STREAM, restLimitOf, type Op } from '@cairn/contracts';
import { commandRecord } from '@cairn/domain';
import type { StoredOp } from '@cairn/op-log';
import { isSuperseded, openItems, searchableText, type OpenedItem } from '../opened-item.js';
import { defineProjection, type Handler, type HandlerStores, type StatementSink, type Write } from '../projection.js';
import { arrayLiteral } from '../row-buffer.js';
import { connectorConfigured, connectorConnected, connectorDisconnected, keysOfAccounts } from './library-accounts.js';
import {
  confirmationDiscarded,
  confirmationRequested,
  confirmationResolved,
  keysOfConfirmations,
} from './library-confirmations.js';
import { libraryErasure, libraryKeys } from './library-erasure.js';
import { countCorrectedChunk, countMovedChunks, deleteChunks, placeItem } from './library-counts.js';
import {
  chunkForgotten,
  itemsForgotten,
  keepCommandIds,
  receiptIssued,
  titleFirstChunk,
} from './library-forgetting.js';
import { linksRemoved } from './library-links.js';
import { libraryBuffers, type ClientTokenRow, type CommandRow, type LibraryBuffers } from './library-rows.js';
import { libraryIndexes, libraryTables } from './library.schema.js';
import { keysOfServers, serverConfigured, serverRegistered, serverRemoved } from './library-servers.js';
import {
  entityMerged,
  folderConfigured,
  itemSuperseded,
  quotaSet,
  tokenRevoked,
  type OpOf,
} from './library-updates.js';

const commandOf = (op: Op): CommandRow => {
  const { position, entityId: entity, type, tokenId: token, payloadHash: payload } = commandRecord(op);
  return { id: op.commandId, workspace: op.workspace, position, first: position, entity, type, token, payload };
};

const bytesOf = (hash: string | undefined): Buffer | null => (hash === undefined ? null : Buffer.from(hash, 'hex'));

/** Writes one batch. Rows are collected and inserted in few statements; an update of earlier rows flushes them first. */
class LibraryBatch {
  private readonly buffers: LibraryBuffers = libraryBuffers();
  private readonly heads = new Map<string, { position: number; hash: string }>();
  private readonly commands = new Map<string, CommandRow>();
  /** Applied after the rows of the batch, since the commands that stored an item may be among them. */
  private readonly forgotten: OpOf<'item.forgotten'>[] = [];
  /** Consecutive forgettings that are still to be applied. */
  private forgettingNow: OpOf<'item.forgotten'>[] = [];
  private readonly clientTokens = new Map<string, ClientTokenRow>();

  constructor(
    private readonly db: StatementSink,
    private readonly schema: string,
    private readonly opened: ReadonlyMap<number, OpenedItem>,
    private readonly confirmationKeys: ReadonlyMap<string, Buffer | null>,
    private readonly serverKeys: ReadonlyMap<string, Buffer | null>,
    private readonly accountKeys: ReadonlyMap<string, Buffer | null>,
  ) {}

  apply(op: Op): void {
    this.heads.set(op.workspace, { position: op.position, hash: op.hash });
    const command = `${op.workspace}|${op.commandId}`;
    const first = this.commands.get(command) ?? commandOf(op);
    this.commands.set(command, { ...first, position: op.position });
    this.useClientToken(op);
    if (op.type !== 'item.forgotten') this.forgetNow();
    switch (op.type) {
      case 'workspace.created':
        return this.workspaceCreated(op);
      case 'folder.created':
        return this.folderCreated(op);
      case 'folder.configured':
        return folderConfigured(this.change, this.schema, op);
      case 'token.issued':
        return this.tokenIssued(op);
      case 'token.revoked':
        return tokenRevoked(this.change, this.schema, op);
      case 'item.stored':
        this.itemStored(op);
        return this.chunksStored(op);
      case 'item.extended':
        return this.chunksStored(op);
      case 'item.placed':
        this.itemPlaced(op);
        return this.chunksIndexed(op);
      case 'item.superseded':
        return itemSuperseded(this.change, this.schema, op);
      case 'chunk.corrected':
        return this.chunkCorrected(op);
      case 'confirmation.requested':
        return confirmationRequested(
          this.db,
          this.schema,
          op,
          this.confirmationKeys.get(op.data.confirmationId) ?? null,
        );
      case 'confirmation.discarded':
      case 'confirmation.restored':
        return confirmationDiscarded(this.db, this.schema, op);
      case 'confirmation.resolved':
        return confirmationResolved(this.db, this.schema, op);
      case 'item.forgotten':
        return this.itemForgotten(op);
      case 'chunk.forgotten':
        return chunkForgotten(this.change, this.schema, op);
      case 'receipt.issued':
        return receiptIssued(this.change, this.schema, op);
      case 'server.registered':
        return serverRegistered(this.db, this.schema, op, this.serverKeys.get(op.data.serverId) ?? null);
      case 'server.configured':
        return serverConfigured(this.db, this.schema, op);
      case 'server.removed':
        return serverRemoved(this.db, this.schema, op);
      case 'link.added':
        return this.linksAdded(op);
      case 'link.removed':
        return linksRemoved(this.change, this.schema, op);
      case 'connector.connected':
        return connectorConnected(this.change, this.schema, op, this.accountKeys.get(op.data.accountId) ?? null);
      case 'connector.configured':
        return connectorConfigured(this.change, this.schema, op);
      case 'connector.disconnected':
        return connectorDisconnected(this.change, this.schema, op);
      case 'edge.observed':
      case 'edge.reviewed':
        return;
      case 'entity.merged':
      case 'entity.split':
        return entityMerged(this.change, this.schema, op);
      case 'quota.set':
        return quotaSet(this.change, this.schema, op);
    }
  }

  finish(): void {
    this.forgetNow();
    for (const row of this.commands.values()) this.buffers.commands.add(row);
    for (const row of this.clientTokens.values()) this.buffers.clientTokens.add(row);
    this.flush();
    keepCommandIds(this.db, this.schema, this.forgotten);
    this.moveHeads();
  }

  private flush(): void {
    for (const buffer of Object.values(this.buffers)) buffer.flush(this.db, this.schema);
  }

  private readonly change = (sql: string, values: readonly unknown[]): void => {
    this.flush();
    void this.db.query(sql, values);
  };

  /** The newest use counts. For an erased op, the forgetting carries the use. */
  private useClientToken(op: Pick<Op, 'workspace' | 'actor' | 'clientToken' | 'commandId' | 'position' | 'at'>): void {
    if (!op.clientToken) return;
    const { workspace, commandId: command, position, at, actor } = op;
    const row = { workspace, agent: actor.agentId, ...op.clientToken, command, position, at };
    const key = `${workspace}|${row.agent}|${row.tool}|${row.token}`;
    if (position > (this.clientTokens.get(key)?.position ?? 0)) this.clientTokens.set(key, row);
  }

  private workspaceCreated({ data, at, position, hash }: OpOf<'workspace.created'>): void {
    this.buffers.workspaces.add({ id: data.workspaceId, slug: data.slug, name: data.name, at, head: position, hash });
  }

  private folderCreated({ data, at, workspace }: OpOf<'folder.created'>): void {
    const { folderId: id, slug, name, tier, maxTokensPerRecall: cap, readme, isDefault } = data;
    this.buffers.folders.add({ id, workspace, slug, name, tier, cap, readme, isDefault, at });
  }

  private tokenIssued({ data, at, workspace }: OpOf<'token.issued'>): void {
    this.buffers.tokens.add({
      ...data,
      id: data.tokenId,
      workspaceId: workspace,
      scopes: arrayLiteral(data.scopes),
      folderIds: arrayLiteral(data.folderIds),
      toolsets: arrayLiteral(data.toolsets),
      restLimitPerHour: restLimitOf(data),
      createdAt: at,
    });
  }

  private itemStored(op: OpOf<'item.stored'>): void {
    const { data, at, workspace, position } = op;
    const opened = this.opened.get(position);
    // Forgotten since: treated as if it had never been stored.
    if (!opened) return;
    this.buffers.items.add({
      ...data,
      id: data.itemId,
      workspaceId: workspace,
      links: JSON.stringify(data.links ?? []),
      meta: Buffer.from(data.meta, 'base64'),
      wrappedKey: opened.wrappedItemKey,
      retention: data.retention ?? 'full',
      accountId: data.accountId ?? null,
      externalKey: bytesOf(data.externalKey),
      externalVersion: bytesOf(data.externalVersion),
      position,
      createdAt: at,
    });
  }

  private chunksStored(op: OpOf<'item.stored' | 'item.extended'>): void {
    const { data, position } = op;
    for (const chunk of this.opened.get(position)?.chunks ?? []) {
      this.buffers.bodies.add({
        id: chunk.chunkId,
        item: data.itemId,
        ordinal: chunk.ordinal,
        text: Buffer.from(chunk.text, 'base64'),
        hash: Buffer.from(chunk.textHash, 'hex'),
        key: chunk.wrappedKey,
        tokens: chunk.tokens,
      });
    }
    this.chunksIndexed(op);
  }

  /** The rows of an item that search reads: none unless it is in the knowledge base. */
  private chunksIndexed(op: OpOf<'item.stored' | 'item.extended' | 'item.placed'>): void {
    const { type, data, workspace, position } = op;
    const opened = this.opened.get(position);
    if (!data.inKb || !opened) return;
    const { meta, chunks } = opened;
    const isContinued = type === 'item.extended';
    for (const chunk of chunks) {
      this.buffers.chunks.add({
        id: chunk.chunkId,
        workspace,
        folder: data.folderId,
        item: data.itemId,
        hash: Buffer.from(chunk.textHash, 'hex'),
        superseded: isSuperseded(data),
        expires: data.expiresAt,
        tags: arrayLiteral(meta.tags),
        tokens: chunk.tokens,
        title: chunk === chunks[0] && !isContinued ? meta.title : null,
        plaintext: searchableText(meta.title, chunk.plaintext),
        position,
      });
    }
    if (isContinued) this.change(titleFirstChunk(this.schema), [data.itemId, meta.title]);
  }

  /** Updates the counts of the folders first, because they are computed from the old rows. */
  private itemPlaced({ data, at, position }: OpOf<'item.placed'>): void {
    const { itemId, folderId, inKb, meta, chunks } = data;
    if (!inKb || chunks.length > 0) this.change(deleteChunks(this.schema, 'item_id = $1'), [itemId]);
    else {
      this.change(countMovedChunks(this.schema), [itemId, folderId]);
      this.change(`update ${this.schema}.chunks set folder_id = $2, position = $3 where item_id = $1`, [
        itemId,
        folderId,
        position,
      ]);
    }
    this.change(placeItem(this.schema), [itemId, folderId, inKb, Buffer.from(meta, 'base64'), at]);
  }

  private linksAdded({ data, workspace, position }: OpOf<'link.added'>): void {
    for (const link of data.links) this.buffers.links.add({ ...link, workspace, position });
  }

  private forgetNow(): void {
    if (this.forgettingNow.length === 0) return;
    itemsForgotten(this.change, this.schema, this.forgettingNow);
    this.forgettingNow = [];
  }

  private itemForgotten(op: OpOf<'item.forgotten'>): void {
    this.forgettingNow.push(op);
    for (const erased of op.data.erased) this.useClientToken(erased);
    this.forgotten.push(op);
  }

  /** Does nothing for a chunk that was forgotten since. */
  private chunkCorrected({ data, at, position }: OpOf<'chunk.corrected'>): void {
    const opened = this.opened.get(position);
    const chunk = opened?.chunks[0];
    if (!chunk) return;
    const [hash, plaintext] = [Buffer.from(data.textHash, 'hex'), searchableText(opened.meta.title, chunk.plaintext)];
    this.change(`update ${this.schema}.bodies set text = $2, text_hash = $3, tokens = $4 where chunk_id = $1`, [
      data.chunkId,
      Buffer.from(data.newText, 'base64'),
      hash,
      data.tokens,
    ]);
    this.change(countCorrectedChunk(this.schema), [data.chunkId, data.tokens]);
    this.change(
      `update ${this.schema}.chunks set text_hash = $2, tokens = $3, words = to_tsvector('simple', $4), position = $5
       where id = $1`,
      [data.chunkId, hash, data.tokens, plaintext, position],
    );
    this.change(`update ${this.schema}.items set updated_at = $2 where id = $1`, [data.itemId, at]);
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

const handler = ({ vault }: HandlerStores): Handler<StoredOp> => ({
  prepare: async (entries): Promise<Write> => {
    const ops = entries.map(({ op }) => op);
    const [opened, confirmationKeys, serverKeys, accountKeys] = await Promise.all([
      openItems(vault, ops),
      keysOfConfirmations(vault, ops),
      keysOfServers(vault, ops),
      keysOfAccounts(vault, ops),
    ]);
    return (db, schema) => {
      const batch = new LibraryBatch(db, schema, opened, confirmationKeys, serverKeys, accountKeys);
      for (const op of ops) batch.apply(op);
      batch.finish();
    };
  },
});

export const library = defineProjection({
  name: 'library',
  version: 1,
  stream: OPLOG_STREAM,
  isAwaited: true,
  tables: libraryTables,
  indexes: libraryIndexes,
  handler,
  erases: libraryErasure,
  purges: {
    workspaces: 'settings',
    folders: 'settings',
    tokens: 'settings',
    items: 'rewritten',
    bodies: 'rewritten',
    chunks: 'rewritten',
    commands: 'ids',
    quotas: 'ids',
    client_tokens: 'ids',
    confirmations: 'rewritten',
    external_mcp_servers: 'rewritten',
    accounts: 'rewritten',
    forgets: 'ids',
    memory_links: 'ids',
    merges: 'ids',
  },
  wrappedKeys: libraryKeys,
});
