import { ItemKind, Scope, SourceKind, TaskLink, Tier, Toolset } from '@cairn/contracts';
import { z } from 'zod';

const Id = z.uuid();
const Time = z.iso.datetime();
const Position = z.int().describe('Position in the op-log at which the change is visible.');

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Give it as cursor for the next page.'),
  });

export const WorkspaceAnswer = z.object({ id: Id, slug: z.string(), name: z.string(), createdAt: Time });
export const WorkspaceCreatedAnswer = z.object({
  workspace: z.object({ id: Id, slug: z.string(), name: z.string() }),
  adminToken: z.string().describe('Shown once.'),
  position: Position,
});

export const FolderAnswer = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  tier: Tier,
  maxTokensPerRecall: z.int().nullable(),
  readme: z.string(),
  createdAt: Time,
});
export const FolderWrittenAnswer = FolderAnswer.extend({ position: Position });

const tokenFields = {
  id: Id,
  name: z.string(),
  agentId: z.string(),
  scopes: z.array(Scope),
  isUnscoped: z.boolean(),
  folderIds: z.array(Id),
  kbOnly: z.boolean(),
  toolsets: z.array(Toolset),
  rateLimitPerHour: z.int().nullable(),
  expiresAt: Time,
};
export const TokenAnswer = z.object({ ...tokenFields, revokedAt: Time.nullable(), createdAt: Time });
export const TokenIssuedAnswer = z.object({
  ...tokenFields,
  token: z.string().describe('The credential itself, shown once.'),
  position: Position,
});

export const ItemAnswer = z.object({
  id: Id,
  title: z.string(),
  kind: ItemKind,
  folderId: Id,
  inKb: z.boolean(),
  tags: z.array(z.string()),
  source: z.object({ kind: SourceKind, name: z.string().optional(), uri: z.string().optional() }),
  confidence: z.int(),
  createdByAgentId: z.string(),
  supersededById: Id.nullable(),
  expiresAt: Time.nullable(),
  links: z.array(TaskLink),
  embeddingStatus: z.enum(['pending', 'ready', 'failed']),
  createdAt: Time,
  updatedAt: Time,
});
export const ItemDetailAnswer = ItemAnswer.extend({
  content: z.string(),
  chunks: z.array(z.object({ id: Id, ordinal: z.int(), text: z.string() })),
});
export const ItemStoredAnswer = z.object({
  id: Id,
  chunkIds: z.array(Id),
  embeddingStatus: z.literal('pending'),
  position: Position,
});

export const OpAnswer = z.object({
  id: Id,
  position: z.int(),
  kind: z.string(),
  type: z.string(),
  at: Time,
  actor: z.object({ kind: z.string(), tokenId: Id, agentId: z.string() }),
  data: z.record(z.string(), z.unknown()),
});

export const ProjectionsAnswer = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      version: z.int(),
      stream: z.string(),
      checkpoint: z.int(),
      head: z.int(),
      lagOps: z.int(),
      lagSeconds: z.number(),
    }),
  ),
});

export const StatusAnswer = z.object({
  components: z.array(
    z.object({ name: z.string(), ok: z.boolean(), version: z.string().optional(), note: z.string().optional() }),
  ),
  degraded: z.boolean(),
});

export const ErrorAnswer = z.object({
  error: z.object({
    code: z.string().describe('A dotted code that does not change, such as input.invalid.'),
    message: z.string(),
    field: z.string().optional(),
    limit: z.unknown().optional(),
    correlationId: z.string(),
  }),
});
