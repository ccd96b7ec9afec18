import { z } from 'zod';
import { GetAccount, ListAccounts, OpenAccount } from './account-queries.js';
import { Id, pageOf, placement, Time, type Wire } from './answer.js';
import { PlanRoute, VerifyClaim } from './claim-queries.js';
import { ConfirmationReason, MemoryKind, WaitingText } from './confirmation-events.js';
import {
  FindEntities,
  GetEdge,
  GetEntity,
  ListEntities,
  ListItemMentions,
  ListReview,
  LocateEdge,
  LocateEntity,
  WalkGraph,
} from './graph-queries.js';
import { ItemDetail, ItemKind, ItemSummary } from './item.js';
import { CONFIRMATION_PREVIEW_CHARS, QUERY_CHARS_MAX, TOKENS_PER_CHECK_MAX } from './limits.js';
import { ConfirmFetch, FindKnownDocuments, LocateText } from './mesh-queries.js';
import { ListLinks, WalkLinks } from './link-queries.js';
import { GetStats, RecallChunks } from './memory-queries.js';
import { QueryItems, SearchSemantic } from './metadata-queries.js';
import { GetIngest, GetOp, GetProjections, GetReceipt, GetReceiptKey, GetStatus, ListOps } from './operator-queries.js';
import { Tier } from './principal.js';
import { defineQuery, page } from './query-definition.js';
import { SearchChunks, SearchItems } from './search-queries.js';
import { ListServers, OpenServers } from './server-queries.js';
import { Surface } from './surface.js';
import { QuerySeries } from './series-queries.js';
import { text, Uuid } from './text.js';
import { ResolvedToken, tokenSecret, TokenView } from './token.js';

const surface = Surface.default('mcp');

/** Fields of search's answer to the gateway; an earlier build of search omits `superseded`. */
const itemExtras = { ...placement, superseded: z.boolean().exactOptional() };

export const GetItem = defineQuery(
  'item.get',
  z.strictObject({ itemId: Uuid, surface }),
  ItemDetail.extend(itemExtras),
);

export const ListItems = defineQuery(
  'items.list',
  z.strictObject({
    ...page,
    surface,
    folderId: Uuid.optional(),
    inKb: z.boolean().optional(),
    kind: ItemKind.optional(),
  }),
  pageOf(ItemSummary.extend(itemExtras)),
);

export const FolderView = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  tier: Tier,
  maxTokensPerRecall: z.int().nullable(),
  readme: z.string(),
  createdAt: Time,
});
export type FolderView = Wire<typeof FolderView>;

const PlacedFolder = FolderView.extend(placement);

export const ListFolders = defineQuery('folders.list', z.strictObject({ ...page, surface }), pageOf(PlacedFolder));
export const GetFolder = defineQuery('folder.get', z.strictObject({ folderId: Uuid, surface }), PlacedFolder);

export const QuotaView = z.object({
  limit: z.int().nullable().describe('null: no limit.'),
  used: z.int().describe('Entries that are there now, or tokens of the current UTC day.'),
});
export type QuotaView = Wire<typeof QuotaView>;

export const QuotasView = z.object({ knowledge_stored: QuotaView, mesh_daily_tokens: QuotaView });

export const GetQuotas = defineQuery('quotas.get', z.strictObject({}), QuotasView);

/** A text that waits for a person to decide where it belongs. */
export const ConfirmationView = z.object({
  id: Id,
  suggestedName: z.string().describe('The name that the agent has used.'),
  reason: ConfirmationReason.describe('close: there are candidates. none: no folder has a name like it.'),
  /** Best first; empty if no folder name is similar. */
  candidates: WaitingText.shape.candidates,
  label: z.string().nullable().describe('null when the agent gave none.'),
  preview: z.string().describe(`The first ${CONFIRMATION_PREVIEW_CHARS} characters of the waiting text.`),
  kind: MemoryKind,
  agentId: z.string(),
  createdAt: Time,
  expiresAt: Time,
  restorableUntil: Time.exactOptional().describe('Only of a discarded one: until then it can be restored.'),
});
export type ConfirmationView = Wire<typeof ConfirmationView>;

export const CONFIRMATION_LISTS = ['pending', 'discarded'] as const;

/** Lists waiting texts (the default), or discarded texts that can be restored, newest first. */
export const ListConfirmations = defineQuery(
  'confirmations.list',
  z.strictObject({ ...page, status: z.enum(CONFIRMATION_LISTS).optional() }),
  pageOf(ConfirmationView),
);

export const ListTokens = defineQuery('tokens.list', z.strictObject(page), pageOf(TokenView));

/** Answered only for the gateway: null for unknown, revoked and expired tokens alike. */
export const ResolveToken = defineQuery('token.resolve', z.strictObject(tokenSecret), ResolvedToken.nullable());

/**
 * Answered only for the gateway: which of these tokens are now revoked, expired or unknown. One request covers all
 * tokens that hold a stream open, however many.
 */
export const FindEndedTokens = defineQuery(
  'tokens.ended',
  z.strictObject({ tokenIds: z.array(Uuid).max(TOKENS_PER_CHECK_MAX) }),
  z.object({ tokenIds: z.array(Id) }),
);

export const WorkspaceView = z.object({ id: Id, slug: z.string(), name: z.string(), createdAt: Time });
export type WorkspaceView = Wire<typeof WorkspaceView>;

export const ListWorkspaces = defineQuery('workspaces.list', z.strictObject(page), pageOf(WorkspaceView));

const QueryVector = z.object({
  model: z.string(),
  dims: z.int(),
  /** Little-endian float32 values, base64. */
  vector: z.string(),
});
export type QueryVector = Wire<typeof QueryVector>;

/** Answered by the embedder; search keeps the answers in an LRU. */
export const EmbedQuery = defineQuery('query.embed', z.strictObject({ text: text(1, QUERY_CHARS_MAX) }), QueryVector);

const EmbedderView = z.object({
  /** The id of the vectors that searches use. */
  model: z.string().nullable(),
  label: z.string().nullable(),
  dims: z.int().nullable(),
  /** Why the embedder cannot embed at the moment. */
  note: z.string().exactOptional(),
  /** The id of the vectors that are being made to replace them. */
  next: z.string().exactOptional(),
});
export type EmbedderView = Wire<typeof EmbedderView>;

/** Answered by the embedder: which model it runs. */
export const GetEmbedder = defineQuery('embedder.get', z.strictObject({}), EmbedderView);

/** Whether a service accepts requests. Anyone may read the notes, so they hold nothing that helps an attacker. */
const Readiness = z.object({ ready: z.boolean(), notes: z.array(z.string()) });
export type Readiness = Wire<typeof Readiness>;

/** Every service answers one of these, in any state. */
export const CheckIngest = defineQuery('ingest.check', z.strictObject({}), Readiness);
export const CheckSearch = defineQuery('search.check', z.strictObject({}), Readiness);
export const CheckEmbedder = defineQuery('embedder.check', z.strictObject({}), Readiness);

export const SEARCH_QUERIES = [
  SearchChunks,
  SearchItems,
  RecallChunks,
  SearchSemantic,
  QueryItems,
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
  ListServers,
  OpenServers,
  ListLinks,
  ListAccounts,
  GetAccount,
  OpenAccount,
  ListEntities,
  FindEntities,
  GetEntity,
  WalkGraph,
  GetEdge,
  LocateEdge,
  LocateEntity,
  ListItemMentions,
  ListReview,
  ListAccounts,
  GetAccount,
  OpenAccount,
  VerifyClaim,
  PlanRoute,
  QuerySeries,
  FindKnownDocuments,
  LocateText,
  ConfirmFetch,
  WalkLinks,
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
export type QueryAnswer<T extends QueryType> = z.output<Extract<Definition, { type: T }>['answer']>;
