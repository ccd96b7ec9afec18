import { z } from 'zod';
import {
  ConfirmationDiscarded,
  ConfirmationRequested,
  ConfirmationResolved,
  ConfirmationRestored,
} from './confirmation-events.js';
import { ConnectorConfigured, ConnectorConnected, ConnectorDisconnected } from './connector-events.js';
import type { OpEnvelope } from './envelope.js';
import { defineEvent, KeyedHash, newerEvent, newestData, Sealed } from './event-definition.js';
import { ChunkForgotten, ItemForgotten, ReceiptIssued } from './forgetting-events.js';
import { Retention } from './graph-words.js';
import { EdgeObserved, EdgeReviewed, EntityMerged, EntitySplit } from './graph-events.js';
import { LinkAdded, LinkRemoved } from './link-events.js';
import { itemFields, SourceKind, TaskLink, TextFormat } from './item.js';
import { Tier } from './principal.js';
import { ServerConfigured, ServerRegistered, ServerRemoved } from './server-events.js';
import { AgentId, Slug, Uuid } from './text.js';
import { issuedToken } from './token.js';

export const StoredChunk = z.strictObject({
  chunkId: Uuid,
  ordinal: z.int().min(0),
  /** The chunk's text under the chunk's own key. */
  text: Sealed,
  textHash: KeyedHash,
  tokens: z.int().min(0),
});
export type StoredChunk = z.infer<typeof StoredChunk>;

/** The content of `meta` in an item's events, sealed under the item's key. */
export const ItemMeta = z.strictObject({
  title: z.string(),
  tags: z.array(z.string()),
  sourceName: z.string().optional(),
  sourceUri: z.string().optional(),
  /** Absent if the item has none, and in ops that hold them in `links`. */
  links: z.array(TaskLink).optional(),
  /** The source's own name for the document; absent if nothing can be fetched by it. */
  externalRef: z.string().optional(),
  /** The format of the file that the text was read from. */
  format: TextFormat.optional(),
  /** Metadata that the agent attached to a commit, unchanged. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type ItemMeta = z.infer<typeof ItemMeta>;

export const WorkspaceCreated = defineEvent(
  'workspace.created',
  1,
  'workspace_create',
  z.strictObject({ workspaceId: Uuid, slug: Slug, name: z.string() }),
);

export const FolderCreated = defineEvent(
  'folder.created',
  1,
  'graph_create',
  z.strictObject({
    folderId: Uuid,
    slug: Slug,
    name: z.string(),
    tier: Tier,
    maxTokensPerRecall: z.int().nullable(),
    readme: z.string(),
    isDefault: z.boolean(),
  }),
);

export const FolderConfigured = defineEvent(
  'folder.configured',
  1,
  'graph_config',
  z.strictObject({
    folderId: Uuid,
    name: z.string().optional(),
    tier: Tier.optional(),
    maxTokensPerRecall: z.int().nullable().optional(),
    readme: z.string().optional(),
  }),
);

export const TokenIssued = defineEvent('token.issued', 1, 'token_issue', z.strictObject(issuedToken));

export const TokenRevoked = defineEvent('token.revoked', 1, 'token_revoke', z.strictObject({ tokenId: Uuid }));

/**
 * The origin of an item that came from an account. Absent for an item that holds its whole text and has no other
 * source.
 */
export const itemOrigin = {
  retention: Retention.optional(),
  accountId: Uuid.optional(),
  /** The document of the source and its state, each hashed under the account's key. */
  externalKey: KeyedHash.optional(),
  externalVersion: KeyedHash.optional(),
};

export const ItemStored = defineEvent(
  'item.stored',
  1,
  'ingest',
  z.strictObject({
    itemId: Uuid,
    folderId: Uuid,
    ...itemFields,
    sourceKind: SourceKind,
    createdByAgentId: AgentId,
    expiresAt: z.string().nullable(),
    ...itemOrigin,
    /** Unencrypted, and only in ops written before `meta` carried it. */
    links: z.array(TaskLink).optional(),
    /** These two are only in ops written before the envelope carried them. */
    clientToken: Uuid.nullable().optional(),
    payloadHash: KeyedHash.optional(),
    meta: Sealed,
    /** The number of all chunks of the item; this op carries the first ones. */
    chunkCount: z.int().min(1),
    chunks: z.array(StoredChunk),
  }),
);

export const ItemExtended = defineEvent(
  'item.extended',
  1,
  'ingest',
  z.strictObject({
    itemId: Uuid,
    // Repeated from `item.stored`, so that a projection can index these chunks without reading earlier ops.
    folderId: Uuid,
    inKb: z.boolean(),
    expiresAt: z.string().nullable(),
    meta: Sealed,
    chunks: z.array(StoredChunk),
    // Repeated from `item.placed` if this op continues one; absent after `item.stored`.
    wasInKb: z.boolean().optional(),
    superseded: z.boolean().optional(),
  }),
);

/**
 * The place, title and tags of an item from here on. If its searchable text must be rebuilt, the op repeats the chunks
 * as stored, so that a projection does not read earlier ops.
 */
export const ItemPlaced = defineEvent(
  'item.placed',
  1,
  'reingest',
  z.strictObject({
    itemId: Uuid,
    folderId: Uuid,
    inKb: z.boolean(),
    /** Whether the item was in the knowledge base before: then its texts have vectors, or will have them. */
    wasInKb: z.boolean(),
    superseded: z.boolean(),
    expiresAt: z.string().nullable(),
    /** Only in ops written before the envelope carried it. */
    payloadHash: KeyedHash.optional(),
    meta: Sealed,
    /** Empty if only the folder changed, or if the item is not in the knowledge base; continued in `item.extended`. */
    chunks: z.array(StoredChunk),
  }),
);

export const ItemSuperseded = defineEvent(
  'item.superseded',
  1,
  'supersede',
  z.strictObject({
    itemId: Uuid,
    byItemId: Uuid,
    /** Whose pointer now leads to `headId`. After a sync only the nearest; pointers of the others lead there in steps. */
    updatedIds: z.array(Uuid),
    headId: Uuid,
    /** Whether the superseded item is in the knowledge base. Absent in ops written before items could leave it. */
    inKb: z.boolean().optional(),
  }),
);

/**
 * The text of a chunk changes. The op repeats everything that an index needs, so that no projection reads earlier ops.
 */
export const ChunkCorrected = defineEvent(
  'chunk.corrected',
  1,
  'correction',
  z.strictObject({
    chunkId: Uuid,
    itemId: Uuid,
    correctionId: Uuid,
    ordinal: z.int().min(0),
    /** Both are sealed under the chunk's own key. */
    oldText: Sealed,
    newText: Sealed,
    oldTextHash: KeyedHash,
    textHash: KeyedHash,
    tokens: z.int().min(0),
    folderId: Uuid,
    inKb: z.boolean(),
    superseded: z.boolean(),
    expiresAt: z.string().nullable(),
    meta: Sealed,
  }),
);

export const QUOTA_NAMES = ['knowledge_stored', 'mesh_daily_tokens'] as const;
export const QuotaName = z.enum(QUOTA_NAMES);
export type QuotaName = z.infer<typeof QuotaName>;

export const QuotaSet = defineEvent(
  'quota.set',
  1,
  'quota_set',
  z.strictObject({ name: QuotaName, /** null: no limit. */ limit: z.int().min(0).nullable() }),
);

export const EVENTS = [
  WorkspaceCreated,
  FolderCreated,
  FolderConfigured,
  TokenIssued,
  TokenRevoked,
  ItemStored,
  ItemExtended,
  ItemPlaced,
  ItemSuperseded,
  QuotaSet,
  ConnectorConnected,
  ConnectorConfigured,
  ConnectorDisconnected,
  ConfirmationRequested,
  ConfirmationDiscarded,
  ConfirmationRestored,
  ConfirmationResolved,
  ChunkCorrected,
  ItemForgotten,
  ChunkForgotten,
  ReceiptIssued,
  ServerRegistered,
  ServerConfigured,
  ServerRemoved,
  LinkAdded,
  LinkRemoved,
  EdgeObserved,
  EdgeReviewed,
  EntityMerged,
  EntitySplit,
] as const;

type Definition = (typeof EVENTS)[number];
export type EventType = Definition['type'];
export type EventData<T extends EventType> = z.infer<Extract<Definition, { type: T }>['schema']>;

/** A typed event before it becomes an op. */
export type DomainEvent = { [T in EventType]: { readonly type: T; readonly data: EventData<T> } }[EventType];

/** A stored op whose data has been parsed into the newest shape of its event. */
export type Op = DomainEvent & {
  readonly id: string;
  readonly version: number;
  readonly workspace: string;
  readonly actor: OpEnvelope['actor'];
  readonly at: string;
  readonly commandId: string;
  readonly payloadHash?: string;
  readonly clientToken?: OpEnvelope['clientToken'];
  readonly correlationId: string;
  readonly prevHash: string;
  readonly hash: string;
  /** Sequence number in the log. */
  readonly position: number;
};

export const EventTypeName = z.enum(EVENTS.map(({ type }) => type));
/** The tools' names for events; several events may share one. */
export const EventKind = z.enum([...new Set(EVENTS.map(({ kind }) => kind))]);

const byType = new Map<string, Definition>(EVENTS.map((event) => [event.type, event]));

/** Of an event that this version writes. */
export const eventDefinition = (type: EventType): Definition => byType.get(type)!;

/** Undefined for an event that this version does not know, or not in this version of it. */
export const readableEvent = ({ type, version }: Pick<OpEnvelope, 'type' | 'version'>): Definition | undefined => {
  const found = byType.get(type);
  return found && version <= found.version ? found : undefined;
};

/** Parses a stored op into the newest shape of its event. */
export const parseOp = (envelope: OpEnvelope, position: number): Op => {
  const definition = readableEvent(envelope);
  if (!definition) throw newerEvent(envelope, position);
  return { ...envelope, data: newestData(definition, envelope, position), position } as Op;
};
