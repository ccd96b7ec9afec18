import { z } from 'zod';
import { type ConfirmationReason, type MemoryKind, type WaitingText } from './confirmation-events.js';
import { ItemKind, type QuotaName, type SourceKind, type TaskLink } from './events.js';
import {
  EF_SEARCH_MAX,
  KB_SEARCH_LIMIT_MAX,
  KNOWLEDGE_SEARCH_LIMIT_MAX,
  QUERY_CHARS_MAX,
  TAGS_MAX,
  TOKENS_PER_CHECK_MAX,
} from './limits.js';
import { GetStats, RecallChunks } from './memory-queries.js';
import { GetIngest, GetOp, GetProjections, GetReceipt, GetReceiptKey, GetStatus, ListOps } from './operator-queries.js';
import { type Principal, type Scope, type Tier, type Toolset } from './principal.js';
import { defineQuery, page, type Page, type Placed } from './query-definition.js';
import { text, Uuid } from './text.js';

export interface LegExplanation {
  readonly leg: 'vector' | 'bm25' | 'fulltext' | 'title';
  /** From 1; null where the leg did not return this hit. */
  readonly rank: number | null;
  readonly rawScore: number | null;
  readonly normalizedScore: number;
  readonly weight: number;
  readonly contribution: number;
}

export interface Explanation {
  readonly fusion: string;
  readonly legs: readonly LegExplanation[];
}

export const SEARCH_MODES = ['semantic', 'keyword', 'hybrid'] as const;
export const SearchMode = z.enum(SEARCH_MODES);
export type SearchMode = z.infer<typeof SearchMode>;

export interface ChunkHit extends Placed {
  readonly chunkId: string;
  readonly itemId: string;
  readonly title: string;
  readonly text: string;
  readonly score: number;
  readonly explain?: Explanation;
}

export interface ChunkSearchAnswer {
  readonly hits: readonly ChunkHit[];
  readonly degraded: boolean;
  readonly stale: boolean;
}

export const SearchChunks = defineQuery<ChunkSearchAnswer>()(
  'chunks.search',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    limit: z.int().min(1).max(KB_SEARCH_LIMIT_MAX),
    mode: SearchMode,
    explain: z.boolean(),
  }),
);

export interface KnowledgeHit extends Placed {
  readonly itemId: string;
  readonly title: string;
  /** The item's text around the first match of the words; its beginning where they match nothing. */
  readonly text: string;
  /** Whether the words of the query were found, in the text or in the title; else it is near in meaning only. */
  readonly hasWords: boolean;
  readonly score: number;
  readonly rawScore: number;
  readonly tags: readonly string[];
  readonly confidence: number;
  readonly createdByAgentId: string;
  readonly supersededById: string | null;
  readonly expiresAt: string | null;
  readonly explain?: Explanation;
}

export interface KnowledgeSearchAnswer {
  readonly hits: readonly KnowledgeHit[];
  readonly degraded: boolean;
  readonly stale: boolean;
}

export const SearchItems = defineQuery<KnowledgeSearchAnswer>()(
  'items.search',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    limit: z.int().min(1).max(KNOWLEDGE_SEARCH_LIMIT_MAX),
    tags: z.array(z.string().max(64)).max(TAGS_MAX),
    includeSuperseded: z.boolean(),
    includeExpired: z.boolean(),
    minScore: z.number().min(0).max(1),
    efSearch: z.int().min(1).max(EF_SEARCH_MAX),
    explain: z.boolean(),
  }),
);

export type EmbeddingStatus = 'pending' | 'ready' | 'failed';

/** Of a new item. What is not in the knowledge base is not embedded: nothing is left to wait for. */
export const firstEmbeddingStatus = (inKb: boolean): 'pending' | 'ready' => (inKb ? 'pending' : 'ready');

export interface ItemSummary extends Placed {
  readonly id: string;
  readonly title: string;
  readonly kind: z.infer<typeof ItemKind>;
  readonly inKb: boolean;
  readonly tags: readonly string[];
  readonly source: { readonly kind: z.infer<typeof SourceKind>; readonly name?: string; readonly uri?: string };
  readonly confidence: number;
  readonly createdByAgentId: string;
  /** Whether another item replaces it. Absent in answers of an earlier build. */
  readonly superseded?: boolean;
  /** The newest replacement; null also where the reader may not see it. */
  readonly supersededById: string | null;
  readonly expiresAt: string | null;
  readonly links: readonly z.infer<typeof TaskLink>[];
  readonly embeddingStatus: EmbeddingStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ItemDetail extends ItemSummary {
  readonly content: string;
  readonly chunks: readonly { readonly id: string; readonly ordinal: number; readonly text: string }[];
}

/**
 * Where an answer will be shown: `mcp` hides sensitive folders, as no MCP tool may return or name anything of them. Left
 * out, it is the one that shows less.
 */
export const Surface = z.enum(['mcp', 'rest']);
export type Surface = z.infer<typeof Surface>;
const surface = Surface.default('mcp');

export const GetItem = defineQuery<ItemDetail>()('item.get', z.strictObject({ itemId: Uuid, surface }));

export const ListItems = defineQuery<Page<ItemSummary>>()(
  'items.list',
  z.strictObject({
    ...page,
    surface,
    folderId: Uuid.optional(),
    inKb: z.boolean().optional(),
    kind: ItemKind.optional(),
  }),
);

export interface FolderView extends Pick<Placed, 'placement'> {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly tier: Tier;
  readonly maxTokensPerRecall: number | null;
  readonly readme: string;
  readonly createdAt: string;
}

export const ListFolders = defineQuery<Page<FolderView>>()('folders.list', z.strictObject({ ...page, surface }));
export const GetFolder = defineQuery<FolderView>()('folder.get', z.strictObject({ folderId: Uuid, surface }));

export interface QuotaView {
  /** null is no limit. */
  readonly limit: number | null;
  /** Entries that are there now. */
  readonly used: number;
}

export const GetQuotas = defineQuery<Readonly<Record<QuotaName, QuotaView>>>()('quotas.get', z.strictObject({}));

/** A text that waits for a person to say where it belongs. */
export interface ConfirmationView {
  readonly id: string;
  readonly suggestedName: string;
  readonly reason: ConfirmationReason;
  /** Best first; none when no folder is close. */
  readonly candidates: WaitingText['candidates'];
  /** Null when the agent gave none. */
  readonly label: string | null;
  /** The beginning of the text, so that the person knows what to decide about. */
  readonly preview: string;
  readonly kind: MemoryKind;
  readonly agentId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Only of a discarded one. */
  readonly restorableUntil?: string;
}

export const CONFIRMATION_LISTS = ['pending', 'discarded'] as const;

/** Those that wait (when no status is given), or those that were discarded and can be restored, newest first. */
export const ListConfirmations = defineQuery<Page<ConfirmationView>>()(
  'confirmations.list',
  z.strictObject({ ...page, status: z.enum(CONFIRMATION_LISTS).optional() }),
);

export interface TokenView {
  readonly id: string;
  readonly name: string;
  readonly agentId: string;
  readonly scopes: readonly Scope[];
  readonly isUnscoped: boolean;
  readonly folderIds: readonly string[];
  readonly kbOnly: boolean;
  readonly toolsets: readonly Toolset[];
  readonly rateLimitPerHour: number | null;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly createdAt: string;
}

export const ListTokens = defineQuery<Page<TokenView>>()('tokens.list', z.strictObject(page));

export interface ResolvedToken {
  readonly principal: Principal;
  readonly expiresAt: string;
  readonly rateLimitPerHour: number | null;
}

/** Answered for the gateway only: null for unknown, revoked and expired alike. */
export const ResolveToken = defineQuery<ResolvedToken | null>()(
  'token.resolve',
  z.strictObject({ tokenId: Uuid, secretHash: z.string().regex(/^[0-9a-f]{64}$/) }),
);

/**
 * Answered for the gateway only: which of these tokens are revoked, expired or unknown by now. One question for all
 * tokens that hold a stream open, however many.
 */
export const FindEndedTokens = defineQuery<{ readonly tokenIds: readonly string[] }>()(
  'tokens.ended',
  z.strictObject({ tokenIds: z.array(Uuid).max(TOKENS_PER_CHECK_MAX) }),
);

export interface WorkspaceView {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: string;
}

export const ListWorkspaces = defineQuery<Page<WorkspaceView>>()('workspaces.list', z.strictObject(page));

export interface QueryVector {
  readonly model: string;
  readonly dims: number;
  /** Little-endian float32 values, base64. */
  readonly vector: string;
}

/** Answered by the embedder; search keeps the answers in an LRU. */
export const EmbedQuery = defineQuery<QueryVector>()('query.embed', z.strictObject({ text: text(1, QUERY_CHARS_MAX) }));

/** Answered by the embedder: which model it runs, and in `note` why it cannot embed at the moment. */
export interface EmbedderView {
  readonly model: string | null;
  readonly label: string | null;
  readonly dims: number | null;
  readonly note?: string;
}
export const GetEmbedder = defineQuery<EmbedderView>()('embedder.get', z.strictObject({}));

/** Whether a service will serve requests. Anyone may read the notes, so they hold nothing that helps an attacker. */
export interface Readiness {
  readonly ready: boolean;
  readonly notes: readonly string[];
}

/** Every service answers one of these, whatever state it is in. */
export const CheckIngest = defineQuery<Readiness>()('ingest.check', z.strictObject({}));
export const CheckSearch = defineQuery<Readiness>()('search.check', z.strictObject({}));
export const CheckEmbedder = defineQuery<Readiness>()('embedder.check', z.strictObject({}));

export const SEARCH_QUERIES = [
  SearchChunks,
  SearchItems,
  RecallChunks,
  GetStats,
  GetItem,
  ListItems,
  ListFolders,
  GetFolder,
  GetQuotas,
  ListConfirmations,
  ListTokens,
  ResolveToken,
  FindEndedTokens,
  ListWorkspaces,
  ListOps,
  GetOp,
  GetProjections,
  GetStatus,
  GetReceipt,
  GetReceiptKey,
  CheckSearch,
] as const;
export const EMBEDDER_QUERIES = [EmbedQuery, GetEmbedder, CheckEmbedder] as const;
export const INGEST_QUERIES = [GetIngest, CheckIngest] as const;

type Definition = (typeof SEARCH_QUERIES)[number] | (typeof EMBEDDER_QUERIES)[number] | (typeof INGEST_QUERIES)[number];
export type QueryType = Definition['type'];

/** The services that answer requests over NATS. */
export type ServiceName = 'ingest' | 'search' | 'embedder';

const ANSWERED_BY: ReadonlyMap<string, ServiceName> = new Map([
  ...SEARCH_QUERIES.map(({ type }) => [type, 'search'] as const),
  ...EMBEDDER_QUERIES.map(({ type }) => [type, 'embedder'] as const),
  ...INGEST_QUERIES.map(({ type }) => [type, 'ingest'] as const),
]);

export const serviceAnswering = (type: QueryType): ServiceName => ANSWERED_BY.get(type)!;
export type QueryData<T extends QueryType> = z.infer<Extract<Definition, { type: T }>['schema']>;
export type QueryAnswer<T extends QueryType> =
  NonNullable<Extract<Definition, { type: T }>['answer']> | (T extends 'token.resolve' ? null : never);
