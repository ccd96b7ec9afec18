/** The answers of REST and of the search tool, as far as the console shows them (see /api/v1/docs). */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export const TIERS = ['public', 'personal', 'sensitive'] as const;
export type Tier = (typeof TIERS)[number];

export interface Folder {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly tier: Tier;
  readonly maxTokensPerRecall: number | null;
  readonly readme: string;
  readonly createdAt: string;
}

export const ITEM_KINDS = ['clip', 'ai-conversation', 'knowledge', 'document', 'file', 'commit'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export interface Item {
  readonly id: string;
  readonly title: string;
  readonly kind: ItemKind;
  readonly folderId: string;
  readonly inKb: boolean;
  readonly tags: readonly string[];
  readonly source: { readonly kind: string; readonly name?: string; readonly uri?: string };
  readonly createdByAgentId: string;
  readonly superseded: boolean;
  /** The replacement, where this token may see it. */
  readonly supersededById: string | null;
  readonly expiresAt: string | null;
  readonly embeddingStatus: 'pending' | 'ready' | 'failed';
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Chunk {
  readonly id: string;
  readonly ordinal: number;
  readonly text: string;
}

export interface ItemDetail extends Item {
  readonly content: string;
  readonly chunks: readonly Chunk[];
}

export interface ItemChange {
  readonly folderId?: string;
  readonly inKb?: boolean;
  readonly title?: string;
  readonly tags?: readonly string[];
}

export const SCOPES = [
  'read',
  'write',
  'memory:read',
  'memory:write',
  'memory:forget',
  'knowledge:read',
  'knowledge:write',
  'graph:read',
  'graph:write',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly agentId: string;
  readonly scopes: readonly string[];
  readonly isUnscoped: boolean;
  readonly folderIds: readonly string[];
  readonly rateLimitPerHour: number | null;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly createdAt: string;
}

export interface NewToken {
  readonly name: string;
  readonly agentId?: string;
  readonly scopes: readonly Scope[];
  readonly isUnscoped: boolean;
  readonly folderIds?: readonly string[];
  readonly rateLimitPerHour?: number | null;
  readonly expiresAt?: string;
}

/** What the token that is signed in may do. */
export interface Rights {
  readonly agentId: string;
  readonly scopes: readonly Scope[];
  /** Whether what needs the scope admin is open. */
  readonly isAdmin: boolean;
  readonly toolsets: readonly string[];
}

/** What `GET /ops` can be narrowed to: the kinds and types of ops that there are. */
export const OP_KINDS = [
  'confirmation_discard',
  'confirmation_request',
  'confirmation_resolve',
  'confirmation_restore',
  'correction',
  'forget',
  'graph_config',
  'graph_create',
  'ingest',
  'quota_set',
  'receipt',
  'reingest',
  'supersede',
  'token_issue',
  'token_revoke',
  'workspace_create',
] as const;

export const OP_TYPES = [
  'chunk.corrected',
  'chunk.forgotten',
  'confirmation.discarded',
  'confirmation.requested',
  'confirmation.resolved',
  'confirmation.restored',
  'folder.configured',
  'folder.created',
  'item.extended',
  'item.forgotten',
  'item.placed',
  'item.stored',
  'item.superseded',
  'quota.set',
  'receipt.issued',
  'token.issued',
  'token.revoked',
  'workspace.created',
] as const;

export interface Op {
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly tokenId: string; readonly agentId: string };
  readonly data: Readonly<Record<string, unknown>>;
  /** What it was about, under its present title; null for an op about no item. */
  readonly item: { readonly id: string; readonly title: string } | null;
}

export interface Candidate {
  readonly folderId: string;
  readonly name: string;
  readonly match: string;
  readonly score: number;
}

export interface Confirmation {
  readonly id: string;
  readonly suggestedName: string;
  readonly reason: 'close' | 'none';
  readonly candidates: readonly Candidate[];
  /** Null when the agent gave none. */
  readonly label: string | null;
  /** The beginning of the text. */
  readonly preview: string;
  readonly kind: ItemKind;
  readonly agentId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Only of a discarded one. */
  readonly restorableUntil?: string;
}

export type Decision =
  | { readonly action: 'use'; readonly folderId: string }
  | { readonly action: 'create'; readonly name?: string }
  | { readonly action: 'dismiss' | 'restore' };

export interface Projection {
  readonly name: string;
  readonly version?: number;
  readonly checkpoint: number;
  readonly head: number;
  readonly lagOps: number;
  readonly lagSeconds: number;
}

export interface Status {
  readonly components: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly version?: string;
    readonly note?: string;
  }[];
  readonly degraded: boolean;
}

export interface Quota {
  readonly limit: number | null;
  readonly used: number;
}

export interface Forgotten {
  readonly deleted: boolean;
  readonly chunksRemoved: number;
  readonly sourceRemoved: boolean;
  readonly receiptId: string;
}

export interface ReceiptState {
  readonly id: string;
  readonly status: 'pending' | 'issued';
  readonly stages: { readonly invisible: string; readonly shredded: string | null; readonly purged: string | null };
  readonly receipt: {
    readonly stores: readonly { readonly store: string; readonly method: string; readonly result: string }[];
    readonly issuedAt: string;
    readonly keyId: string;
    readonly signature: string;
  } | null;
}

export type SearchMode = 'hybrid' | 'semantic' | 'keyword';

export interface Leg {
  readonly leg: string;
  readonly rank: number | null;
  readonly rawScore: number | null;
  readonly normalizedScore: number;
  readonly weight: number;
  readonly contribution: number;
}

export interface Hit {
  readonly itemId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
  readonly folderId: string;
  readonly explain?: { readonly fusion: string; readonly legs: readonly Leg[] };
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly mode: SearchMode;
  readonly degraded: boolean;
  readonly stale?: true;
}

/** What connects an MCP client; the texts have places for address and token. */
export interface ClientBlock {
  readonly id: string;
  readonly name: string;
  readonly steps: readonly { readonly where: string; readonly text: string }[];
}
