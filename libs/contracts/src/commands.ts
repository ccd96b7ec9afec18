import { z } from 'zod';
import { ItemKind, SourceKind } from './events.js';
import {
  FOLDERS_PER_TOKEN_MAX,
  ITEM_TEXT_CHARS_MAX,
  ITEM_TITLE_CHARS_MAX,
  NAME_CHARS_MAX,
  RATE_PER_HOUR_MAX,
  README_CHARS_MAX,
  SOURCE_NAME_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
  TAGS_MAX,
  TASK_ID_CHARS_MAX,
  TOKENS_PER_RECALL_MAX,
} from './limits.js';
import { Scope, Tier, Toolset } from './principal.js';
import { AgentId, IsoTime, Slug, Tag, text, Uuid } from './text.js';

export interface CommandDefinition<T extends string, S extends z.ZodType, R extends z.ZodType> {
  readonly type: T;
  readonly schema: S;
  readonly result: R;
}

const defineCommand = <T extends string, S extends z.ZodType, R extends z.ZodType>(
  type: T,
  schema: S,
  result: R,
): CommandDefinition<T, S, R> => ({ type, schema, result });

/** Every command answers with the log position at which its effect is visible. */
const Position = z.int().min(0);

export const TokenGrant = z.strictObject({
  tokenId: Uuid,
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  name: text(1, NAME_CHARS_MAX),
  agentId: AgentId,
  scopes: z.array(Scope).min(1).max(20),
  isUnscoped: z.boolean(),
  folderIds: z.array(Uuid).max(FOLDERS_PER_TOKEN_MAX),
  kbOnly: z.boolean(),
  toolsets: z.array(Toolset).min(1).max(20),
  rateLimitPerHour: z.int().min(1).max(RATE_PER_HOUR_MAX).nullable(),
  expiresAt: IsoTime,
});
export type TokenGrant = z.infer<typeof TokenGrant>;

/** A new workspace comes with its default folder and its admin token, in one atomic append. */
export const CreateWorkspace = defineCommand(
  'workspace.create',
  z.strictObject({
    workspaceId: Uuid,
    slug: Slug,
    name: text(1, NAME_CHARS_MAX),
    folderId: Uuid,
    adminToken: TokenGrant,
    /** Only the very first workspace's token may create further workspaces. */
    instanceAdmin: z.boolean(),
  }),
  z.strictObject({ workspaceId: Uuid, position: Position }),
);

export const CreateFolder = defineCommand(
  'folder.create',
  z.strictObject({
    folderId: Uuid,
    slug: Slug,
    name: text(1, NAME_CHARS_MAX),
    tier: Tier,
    maxTokensPerRecall: z.int().min(0).max(TOKENS_PER_RECALL_MAX).nullable(),
    readme: text(0, README_CHARS_MAX),
  }),
  z.strictObject({ folderId: Uuid, position: Position }),
);

export const ConfigureFolder = defineCommand(
  'folder.configure',
  z.strictObject({
    folderId: Uuid,
    name: text(1, NAME_CHARS_MAX).optional(),
    tier: Tier.optional(),
    maxTokensPerRecall: z.int().min(0).max(TOKENS_PER_RECALL_MAX).nullable().optional(),
    readme: text(0, README_CHARS_MAX).optional(),
  }),
  z.strictObject({ folderId: Uuid, position: Position }),
);

export const IssueToken = defineCommand(
  'token.issue',
  TokenGrant,
  z.strictObject({ tokenId: Uuid, position: Position }),
);

export const RevokeToken = defineCommand(
  'token.revoke',
  z.strictObject({ tokenId: Uuid }),
  z.strictObject({ tokenId: Uuid, position: Position }),
);

export const StoreItem = defineCommand(
  'item.store',
  z.strictObject({
    title: text(1, ITEM_TITLE_CHARS_MAX),
    text: text(1, ITEM_TEXT_CHARS_MAX),
    /** Absent: the token's only folder, else the workspace's default folder. */
    folderId: Uuid.optional(),
    inKb: z.boolean(),
    kind: ItemKind,
    tags: z.array(Tag).max(TAGS_MAX),
    source: z.strictObject({
      kind: SourceKind,
      name: text(1, SOURCE_NAME_CHARS_MAX).optional(),
      uri: text(1, SOURCE_URI_CHARS_MAX).optional(),
    }),
    confidence: z.int().min(0).max(100),
    expiresAt: IsoTime.nullable(),
    taskRef: z
      .strictObject({ taskId: text(1, TASK_ID_CHARS_MAX), kind: z.enum(['references', 'produced']) })
      .optional(),
    clientToken: Uuid.optional(),
  }),
  z.strictObject({ itemId: Uuid, chunkIds: z.array(Uuid), position: Position }),
);

export const SupersedeItem = defineCommand(
  'item.supersede',
  z.strictObject({ oldId: Uuid, newId: Uuid }),
  z.strictObject({ oldId: Uuid, newId: Uuid, supersededById: Uuid, position: Position }),
);

export const COMMANDS = [
  CreateWorkspace,
  CreateFolder,
  ConfigureFolder,
  IssueToken,
  RevokeToken,
  StoreItem,
  SupersedeItem,
] as const;

type Definition = (typeof COMMANDS)[number];
export type CommandType = Definition['type'];
export type CommandData<T extends CommandType> = z.infer<Extract<Definition, { type: T }>['schema']>;
export type CommandResult<T extends CommandType> = z.infer<Extract<Definition, { type: T }>['result']>;
