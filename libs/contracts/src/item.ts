import { z } from 'zod';
import { Id, Time, type Wire } from './answer.js';
import { Retention } from './graph-words.js';

/** Kinds whose text is rows of a time series. Only an import or a purge makes them; a caller never stores them. */
export const SERIES_KINDS = ['observations', 'rollup'] as const;

export const ITEM_KINDS = [
  'clip',
  'ai-conversation',
  'knowledge',
  'document',
  'file',
  'commit',
  'log-card',
  ...SERIES_KINDS,
] as const;
export const ItemKind = z.enum(ITEM_KINDS);
export type ItemKind = z.infer<typeof ItemKind>;
/** The kinds that a caller may store. */
export const StorableKind = ItemKind.exclude(SERIES_KINDS);

export const SOURCE_KINDS = ['agent', 'human', 'file', 'url', 'connector'] as const;
export const SourceKind = z.enum(SOURCE_KINDS);

/** The format of a text, as far as it matters to a reader that shows a part of it. */
export const TEXT_FORMATS = ['txt', 'md', 'csv', 'json', 'html', 'pdf', 'docx'] as const;
export const TextFormat = z.enum(TEXT_FORMATS);
export type TextFormat = z.infer<typeof TextFormat>;

export const TaskLink = z.strictObject({
  type: z.literal('task_knowledge'),
  taskId: z.string(),
  kind: z.enum(['references', 'produced']),
});
export type TaskLink = z.infer<typeof TaskLink>;

/** The fields of an item that keep name and type from the command to the op, the row and every answer. */
export const itemFields = {
  inKb: z.boolean(),
  kind: ItemKind,
  confidence: z.int().min(0).max(100),
};

export const EMBEDDING_STATUSES = ['pending', 'ready', 'failed'] as const;

export const ItemSummary = z.object({
  id: Id,
  title: z.string(),
  folderId: Id,
  ...itemFields,
  tags: z.array(z.string()),
  source: z.object({ kind: SourceKind, name: z.string().exactOptional(), uri: z.string().exactOptional() }),
  createdByAgentId: z.string(),
  superseded: z.boolean().describe('Whether another item replaces it: its text is then no longer valid.'),
  supersededById: Id.nullable().describe('The newest replacement; null also where the token may not see it.'),
  expiresAt: Time.nullable(),
  links: z.array(TaskLink),
  embeddingStatus: z
    .enum(EMBEDDING_STATUSES)
    .describe('failed: the model has given up a chunk for good; the item is found by its words.'),
  createdAt: Time,
  updatedAt: Time,
});
export type ItemSummary = Wire<typeof ItemSummary>;

export const ItemDetail = ItemSummary.extend({
  content: z.string(),
  format: TextFormat.exactOptional().describe('Of the file that the text was read from.'),
  extra: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Only of a commit: what the agent attached to it, as it came.'),
  chunks: z.array(z.object({ id: Id, ordinal: z.int(), text: z.string() })),
  retention: Retention.describe('How much of the text is stored: full, or a part whose rest is at the source.'),
  meshUri: z
    .string()
    .nullable()
    .describe('Fetches the text from its source: carabase_resolve_mesh_uri. null when full.'),
});
export type ItemDetail = Wire<typeof ItemDetail>;

/** The fields that a search by item shows in addition to title, tags and text. */
export const EntryFields = z.object({
  confidence: itemFields.confidence,
  createdByAgentId: z.string(),
  supersededById: z.string().nullable(),
  expiresAt: z.string().nullable(),
});

/** The status of a new item. An item outside the knowledge base is not embedded, so it has nothing to wait for. */
export const firstEmbeddingStatus = (inKb: boolean): 'pending' | 'ready' => (inKb ? 'pending' : 'ready');
