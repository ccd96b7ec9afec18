import { z } from 'zod';
import { ConfigureAccount, ConnectAccount, DisconnectAccount } from './account-commands.js';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { CommitItem } from './commit-commands.js';
import { RememberItem, ResolveConfirmation } from './confirmation-commands.js';
import { QuotaName } from './events.js';
import { ReceiptIssued } from './forgetting-events.js';
import { MergeEntities, ObserveEdges, ReviewEdge, SplitEntities } from './graph-commands.js';
import { UNTITLED_KINDS } from './item-title.js';
import { AttachItem } from './attach-commands.js';
import { AddLinks, RemoveLink } from './link-commands.js';
import { itemFields, SourceKind, StorableKind, TextFormat } from './item.js';
import {
  CHUNK_CHARS_MAX,
  CORRECTION_INSTRUCTION_CHARS_MAX,
  ITEM_TEXT_CHARS_MAX,
  ITEM_TITLE_CHARS_MAX,
  NAME_CHARS_MAX,
  QUOTA_LIMIT_MAX,
  README_CHARS_MAX,
  SOURCE_NAME_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
  TASK_ID_CHARS_MAX,
  TOKENS_PER_RECALL_MAX,
} from './limits.js';
import { Tier } from './principal.js';
import { ImportObservations, PurgeObservations } from './series-commands.js';
import { SyncItem } from './sync-commands.js';
import { ConfigureServer, PinServer, RegisterServer, RemoveServer } from './server-commands.js';
import { Surface } from './surface.js';
import { filled, IsoTime, Slug, Tags, text, Uuid } from './text.js';
import { TokenGrant } from './token.js';

/** A new workspace comes with its default folder and its admin token, in one atomic append. */
export const CreateWorkspace = defineCommand(
  'workspace.create',
  z.strictObject({
    workspaceId: Uuid,
    slug: Slug,
    name: filled(NAME_CHARS_MAX),
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
    name: filled(NAME_CHARS_MAX),
    tier: Tier,
    maxTokensPerRecall: z.int().min(0).max(TOKENS_PER_RECALL_MAX).nullable(),
    readme: text(0, README_CHARS_MAX),
  }),
  z.strictObject({ folderId: Uuid, position: Position }),
);

/** A request that changes nothing is a mistake and is rejected. */
export const someOf =
  (fields: object) =>
  <S extends z.ZodType<Readonly<Record<string, unknown>>>>(schema: S): S => {
    const names = Object.keys(fields);
    return schema.refine(
      (data) => names.some((name) => data[name] !== undefined),
      `must have at least one of ${names.join(', ')}`,
    );
  };

export const folderChangeFields = {
  name: filled(NAME_CHARS_MAX).optional(),
  tier: Tier.optional(),
  maxTokensPerRecall: z.int().min(0).max(TOKENS_PER_RECALL_MAX).nullable().optional(),
  readme: text(0, README_CHARS_MAX).optional(),
};

export const someFolderChange = someOf(folderChangeFields);

export const ConfigureFolder = defineCommand(
  'folder.configure',
  someFolderChange(z.strictObject({ folderId: Uuid, ...folderChangeFields })),
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

/** A kind must have a title if its readers do not derive one from the text. */
const titled = <S extends z.ZodType<{ readonly title?: string | undefined; readonly kind: string }>>(schema: S): S =>
  schema.refine(({ title, kind }) => title !== undefined || UNTITLED_KINDS.includes(kind), {
    path: ['title'],
    message: 'is required',
  });

export const StoreItem = defineCommand(
  'item.store',
  titled(
    z.strictObject({
      /** Only the kinds in `UNTITLED_KINDS` may omit the title. */
      title: text(1, ITEM_TITLE_CHARS_MAX).optional(),
      text: text(1, ITEM_TEXT_CHARS_MAX),
      /** Defaults to the token's only folder, or else to the workspace's default folder. */
      folderId: Uuid.optional(),
      tags: Tags,
      source: z.strictObject({
        kind: SourceKind,
        name: text(1, SOURCE_NAME_CHARS_MAX).optional(),
        uri: text(1, SOURCE_URI_CHARS_MAX).optional(),
      }),
      /** The format of the file that the text was read from. */
      format: TextFormat.optional(),
      ...itemFields,
      kind: StorableKind,
      expiresAt: IsoTime.nullable(),
      taskRef: z
        .strictObject({ taskId: text(1, TASK_ID_CHARS_MAX), kind: z.enum(['references', 'produced']) })
        .optional(),
      /** A gateway of an earlier build does not send it; the default is the stricter surface. */
      surface: Surface.default('mcp'),
      clientToken: Uuid.optional(),
    }),
  ),
  z.strictObject({ itemId: Uuid, chunkIds: z.array(Uuid), position: Position }),
);

/** The fields of a stored item that may be changed. Its text is not one of them: changing it is a correction. */
export const itemChangeFields = {
  folderId: Uuid.optional(),
  inKb: z.boolean().optional(),
  title: filled(ITEM_TITLE_CHARS_MAX).optional(),
  tags: Tags.optional(),
};

export const someItemChange = someOf(itemChangeFields);

export const UpdateItem = defineCommand(
  'item.update',
  someItemChange(z.strictObject({ itemId: Uuid, ...itemChangeFields })),
  z.strictObject({ itemId: Uuid, position: Position }),
);

export const SupersedeItem = defineCommand(
  'item.supersede',
  z.strictObject({ oldId: Uuid, newId: Uuid }),
  z.strictObject({ oldId: Uuid, newId: Uuid, supersededById: Uuid, position: Position }),
);

export const ForgetResult = z.strictObject({
  deleted: z.literal(true),
  chunksRemoved: z.int(),
  sourceRemoved: z.boolean(),
  receiptId: Uuid,
  position: Position,
});

/** Over MCP, nothing in a sensitive folder can be forgotten: a person does that. */
export const ForgetItem = defineCommand(
  'item.forget',
  z.strictObject({ itemId: Uuid, surface: Surface, clientToken: Uuid.optional() }),
  ForgetResult,
);

export const ForgetChunk = defineCommand(
  'chunk.forget',
  z.strictObject({
    chunkId: Uuid,
    /** When given, the chunk must belong to this item. */
    itemId: Uuid.optional(),
    surface: Surface,
    clientToken: Uuid.optional(),
  }),
  ForgetResult,
);

/** Sent by ingest itself, once nothing of the forgotten content is left. */
export const IssueReceipt = defineCommand(
  'receipt.issue',
  ReceiptIssued.schema,
  z.strictObject({ receiptId: Uuid, position: Position }),
);

/** The only command that appends nothing: its proposal is kept outside the log until it is applied or expires. */
export const ProposeCorrection = defineCommand(
  'chunk.propose',
  z.strictObject({
    chunkId: Uuid,
    instruction: text(1, CORRECTION_INSTRUCTION_CHARS_MAX),
    /** The corrected text; `instruction` then only gives the reason. */
    newText: text(1, CHUNK_CHARS_MAX).optional(),
  }),
  z.strictObject({
    correctionId: Uuid,
    chunkId: Uuid,
    originalText: z.string(),
    proposedText: z.string(),
    expiresAt: IsoTime,
  }),
);

/** The command id is derived from the id of the correction, so a correction is applied only once. */
export const CorrectChunk = defineCommand(
  'chunk.correct',
  z.strictObject({ correctionId: Uuid, clientToken: Uuid.optional() }),
  z.strictObject({ chunkId: Uuid, opId: Uuid, isEmbedded: z.boolean(), position: Position }),
);

export const SetQuota = defineCommand(
  'quota.set',
  z.strictObject({ name: QuotaName, limit: z.int().min(0).max(QUOTA_LIMIT_MAX).nullable() }),
  z.strictObject({ name: QuotaName, position: Position }),
);

/** Commands of callers that append ops. */
export const LOGGED_COMMANDS = [
  CreateWorkspace,
  CreateFolder,
  ConfigureFolder,
  IssueToken,
  RevokeToken,
  StoreItem,
  UpdateItem,
  SupersedeItem,
  SetQuota,
  RememberItem,
  CommitItem,
  ResolveConfirmation,
  ForgetItem,
  ForgetChunk,
  CorrectChunk,
  RegisterServer,
  ConfigureServer,
  RemoveServer,
  PinServer,
  AddLinks,
  AttachItem,
  RemoveLink,
  ConnectAccount,
  ConfigureAccount,
  DisconnectAccount,
  ObserveEdges,
  ReviewEdge,
  MergeEntities,
  SplitEntities,
  ImportObservations,
  PurgeObservations,
  SyncItem,
] as const;

/** Commands that have a subject, so that a caller can send them. */
export const CALLER_COMMANDS = [...LOGGED_COMMANDS, ProposeCorrection] as const;

export const COMMANDS = [...CALLER_COMMANDS, IssueReceipt] as const;

type Definition = (typeof COMMANDS)[number];
export type CommandType = Definition['type'];

/** New workspaces share one lane, since their slugs must differ and no workspace's head guards that. */
export const WORKSPACES_LANE = 'workspaces';

/** Commands of one lane are decided one after the other, so they are best sent to the same replica. */
export const laneOf = (type: CommandType, workspaceId: string): string =>
  type === 'workspace.create' ? WORKSPACES_LANE : workspaceId;

/** The commands that append ops. */
export type LoggedCommandType = Exclude<CommandType, 'chunk.propose'>;
type Data = { readonly [D in Definition as D['type']]: z.infer<D['schema']> };
type Results = { readonly [D in Definition as D['type']]: z.infer<D['result']> };
export type CommandData<T extends CommandType> = Data[T];
export type CommandResult<T extends CommandType> = Results[T];
