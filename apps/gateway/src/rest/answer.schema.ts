import {
  CONFIRMATION_PREVIEW_CHARS,
  ConfirmationReason,
  ItemKind,
  MatchReason,
  MemoryKind,
  ReceiptIssued,
  Scope,
  SourceKind,
  TaskLink,
  Tier,
  Toolset,
} from '@cairn/contracts';
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
export const CallerAnswer = z.object({
  tokenId: Id,
  agentId: z.string(),
  scopes: z.array(Scope),
  isAdmin: z.boolean().describe('Whether the routes that need the scope admin are open.'),
  isUnscoped: z.boolean(),
  folderIds: z.array(Id),
  kbOnly: z.boolean(),
  toolsets: z.array(Toolset),
});
export const TokenAnswer = z.object({ ...tokenFields, revokedAt: Time.nullable(), createdAt: Time });
export const TokenIssuedAnswer = z.object({
  ...tokenFields,
  token: z.string().describe('The credential itself, shown once.'),
  position: Position,
});

export const SignedInAnswer = z.object({ token: z.string().describe('The access token that the code stood for.') });

export const SignInCodeAnswer = z.object({
  code: z.string().describe('Shown once.'),
  expiresAt: z.string().describe('When the code stops working.'),
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
  superseded: z.boolean().describe('Whether another item replaces it: its text is then no longer valid.'),
  supersededById: Id.nullable().describe('The newest replacement; null also where the token may not see it.'),
  expiresAt: Time.nullable(),
  links: z.array(TaskLink),
  embeddingStatus: z
    .enum(['pending', 'ready', 'failed'])
    .describe('failed: the model has given up a chunk for good; the item is found by its words.'),
  createdAt: Time,
  updatedAt: Time,
});
export const ItemDetailAnswer = ItemAnswer.extend({
  content: z.string(),
  chunks: z.array(z.object({ id: Id, ordinal: z.int(), text: z.string() })),
});
export const ItemStoredAnswer = z.object({
  id: Id,
  chunkIds: z.array(Id).describe('None outside of the knowledge base.'),
  embeddingStatus: z
    .enum(['pending', 'ready'])
    .describe('ready outside of the knowledge base: there is nothing to embed.'),
  position: Position,
});

export const ItemUpdatedAnswer = ItemAnswer.extend({ position: Position });

const Quota = z.object({
  limit: z.int().nullable().describe('null is no limit.'),
  used: z.int().describe('Entries that are there now.'),
});
export const QuotasAnswer = z.object({ knowledge_stored: Quota });
export const QuotaSetAnswer = Quota.extend({ position: Position });

export const ConfirmationAnswer = z.object({
  id: Id,
  suggestedName: z.string().describe('The name that the agent has used.'),
  reason: ConfirmationReason.describe('close: there are candidates. none: no folder has a name like it.'),
  candidates: z.array(
    z.object({ folderId: Id, name: z.string(), match: MatchReason, score: z.number().describe('0 to 1.') }),
  ),
  label: z.string().nullable().describe('null when the agent gave none.'),
  preview: z.string().describe(`The first ${CONFIRMATION_PREVIEW_CHARS} characters of the waiting text.`),
  kind: MemoryKind,
  agentId: z.string(),
  createdAt: Time,
  expiresAt: Time,
  restorableUntil: Time.optional().describe('Only of a discarded one: until then it can be restored.'),
});
export const ConfirmationResolvedAnswer = z.union([
  z.object({ itemId: Id, folderId: Id, position: Position }),
  z.object({ dismissed: z.literal(true), position: Position }),
  z.object({ restored: z.literal(true), position: Position }),
]);

export const ForgottenAnswer = z.object({
  deleted: z.literal(true),
  chunksRemoved: z.int(),
  sourceRemoved: z.boolean(),
  receiptId: Id,
  position: Position,
});

export const ReceiptKeyAnswer = z.object({
  keyId: z.string(),
  algorithm: z.literal('Ed25519'),
  publicKey: z.string().describe('SPKI, PEM.'),
});
export const ReceiptAnswer = z.object({
  id: Id,
  itemId: Id,
  chunkIds: z.array(Id),
  sourceRemoved: z.boolean(),
  position: z.int().describe('Of the op that forgot it.'),
  status: z.enum(['pending', 'issued']),
  stages: z
    .object({ invisible: Time, shredded: Time.nullable(), purged: Time.nullable() })
    .describe('When no reader found it any more; when its keys, messages and rows were gone; when its bytes were.'),
  receipt: ReceiptIssued.schema.nullable().describe('Signed; null while it is pending.'),
});

export const OpAnswer = z.object({
  id: Id,
  position: z.int(),
  kind: z.string(),
  type: z.string(),
  at: Time,
  actor: z.object({ kind: z.string(), tokenId: Id, agentId: z.string() }),
  data: z.record(z.string(), z.unknown()),
  item: z
    .object({ id: Id, title: z.string().describe('As it is now; "<forgotten>" where the item is gone.') })
    .nullable()
    .describe('The item that the op is about; null for an op about no item.'),
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
  keys: z
    .object({
      kekId: z.string().describe('Names the current KEK; says nothing about it.'),
      rotation: z.enum(['none', 'running', 'done']).describe('done: nothing is under a previous KEK any more.'),
      checkedAt: z.string().nullable().describe('When all keys were last looked at.'),
    })
    .optional()
    .describe('Under which KEK the data keys are; absent while ingest is away.'),
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

export const ClientsAnswer = z.object({
  clients: z.array(
    z.object({
      id: z.string().describe('The name that `cairn connect` takes.'),
      name: z.string(),
      steps: z.array(z.object({ where: z.string().describe('Where the text goes.'), text: z.string() })),
    }),
  ),
});
