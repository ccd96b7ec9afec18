import { z } from 'zod';
import {
  ConfirmationDiscarded,
  ConfirmationRequested,
  ConfirmationResolved,
  ConfirmationRestored,
} from './confirmation-events.js';
import { fail } from './errors.js';
import type { OpEnvelope } from './envelope.js';
import { defineEvent, KeyedHash, newestData, Sealed } from './event-definition.js';
import { ChunkForgotten, ItemForgotten, ReceiptIssued } from './forgetting-events.js';
import { itemFields, SourceKind, TaskLink } from './item.js';
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

/** What `meta` of an item's events seals under the item's key. */
export const ItemMeta = z.strictObject({
  title: z.string(),
  tags: z.array(z.string()),
  sourceName: z.string().optional(),
  sourceUri: z.string().optional(),
  /** Absent where the item has none, and in ops that say them in `links`. */
  links: z.array(TaskLink).optional(),
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
    /** In the clear, only in ops written before `meta` carried it. */
    links: z.array(TaskLink).optional(),
    /** These two are only in ops written before the envelope carried them. */
    clientToken: Uuid.nullable().optional(),
    payloadHash: KeyedHash.optional(),
    meta: Sealed,
    /** All chunks of the item, of which this op carries the first ones. */
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
    // Repeated from `item.stored`, so that a projection needs no look back to index these chunks.
    folderId: Uuid,
    inKb: z.boolean(),
    expiresAt: z.string().nullable(),
    meta: Sealed,
    chunks: z.array(StoredChunk),
    // Repeated from `item.placed` where that is what continues here; absent after `item.stored`.
    wasInKb: z.boolean().optional(),
    superseded: z.boolean().optional(),
  }),
);

/**
 * Where an item is from here on, and under which title and tags. When its searchable text must be rebuilt, the chunks
 * come again, as they were stored: a projection needs no look back.
 */
export const ItemPlaced = defineEvent(
  'item.placed',
  1,
  'reingest',
  z.strictObject({
    itemId: Uuid,
    folderId: Uuid,
    inKb: z.boolean(),
    /** Whether it was in the knowledge base before: its texts have vectors then, or will have. */
    wasInKb: z.boolean(),
    superseded: z.boolean(),
    expiresAt: z.string().nullable(),
    /** Only in ops written before the envelope carried it. */
    payloadHash: KeyedHash.optional(),
    meta: Sealed,
    /** Empty when nothing but the folder changed, or the item is not in the knowledge base; continued in `item.extended`. */
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
    /** Whose transitive pointer now leads to `headId`. */ updatedIds: z.array(Uuid),
    headId: Uuid,
    /** Whether the superseded item is in the knowledge base. Absent in ops written before items could leave it. */
    inKb: z.boolean().optional(),
  }),
);

/** A chunk has another text from here on. All that an index needs comes again, so that no projection has to look back. */
export const ChunkCorrected = defineEvent(
  'chunk.corrected',
  1,
  'correction',
  z.strictObject({
    chunkId: Uuid,
    itemId: Uuid,
    correctionId: Uuid,
    ordinal: z.int().min(0),
    /** Both under the chunk's own key. */
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

export const QUOTA_NAMES = ['knowledge_stored'] as const;
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
/** The words that the specs have for events; several events may share one. */
export const EventKind = z.enum([...new Set(EVENTS.map(({ kind }) => kind))]);

const byType = new Map<string, Definition>(EVENTS.map((event) => [event.type, event]));

export const eventDefinition = (type: string): Definition => {
  const found = byType.get(type);
  if (!found) throw fail('contract.unknown_event', `unknown event type ${type}`, { type });
  return found;
};

/** Parses a stored op into the newest shape of its event. */
export const parseOp = (envelope: OpEnvelope, position: number): Op =>
  ({ ...envelope, data: newestData(eventDefinition(envelope.type), envelope, position), position }) as Op;
