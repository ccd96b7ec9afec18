import {
  FolderView,
  Id,
  ItemSummary,
  Position,
  Principal,
  QuotaView,
  restLimit,
  tokenFields,
  WorkspaceView,
} from '@cairn/contracts';
import { z } from 'zod';

// Only the answers that REST alone has: controllers take the answers of queries and commands from the contracts.
const position = { position: Position };

export const WorkspaceCreatedAnswer = z.object({
  workspace: WorkspaceView.omit({ createdAt: true }),
  adminToken: z.string().describe('Shown once.'),
  ...position,
});

export const FolderWrittenAnswer = FolderView.extend(position);

export const CallerAnswer = Principal.omit({ workspaceId: true, instanceAdmin: true }).extend({
  isAdmin: z.boolean().describe('Whether the routes that need the scope admin are open.'),
});

export const TokenIssuedAnswer = z.object({
  id: Id,
  ...tokenFields,
  ...restLimit,
  token: z.string().describe('The credential itself, shown once.'),
  ...position,
});

export const SignedInAnswer = z.object({ token: z.string().describe('The access token that the code stood for.') });

export const SignInCodeAnswer = z.object({
  code: z.string().describe('Shown once.'),
  expiresAt: z.string().describe('When the code stops working.'),
});

export const ItemStoredAnswer = z.object({
  id: Id,
  chunkIds: z.array(Id).describe('None outside of the knowledge base.'),
  embeddingStatus: z
    .enum(['pending', 'ready'])
    .describe('ready outside of the knowledge base: there is nothing to embed.'),
  ...position,
});

export const ItemUpdatedAnswer = ItemSummary.extend(position);

export const QuotaSetAnswer = QuotaView.extend(position);

export const ConfirmationResolvedAnswer = z.union([
  z.object({ itemId: Id, folderId: Id, ...position }),
  z.object({ dismissed: z.literal(true), ...position }),
  z.object({ restored: z.literal(true), ...position }),
]);

export const ErrorAnswer = z.object({
  error: z.object({
    code: z.string().describe('A dotted code that does not change, such as input.invalid.'),
    message: z.string(),
    field: z.string().optional(),
    limit: z.unknown().optional(),
    correlationId: z.string(),
  }),
});

const itemError = ErrorAnswer.shape.error.extend({
  status: z.int().describe('The HTTP status of the same error in POST /items.'),
});

export const ItemBatchAnswer = z.object({
  results: z
    .array(z.union([ItemStoredAnswer, z.object({ error: itemError })]))
    .describe('One per item, in the order of the items.'),
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
