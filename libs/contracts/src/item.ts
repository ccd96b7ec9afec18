import { z } from 'zod';
import { Id, Time, type Wire } from './answer.js';

export const ITEM_KINDS = ['clip', 'ai-conversation', 'knowledge', 'document', 'file', 'commit'] as const;
export const ItemKind = z.enum(ITEM_KINDS);
export type ItemKind = z.infer<typeof ItemKind>;

export const SOURCE_KINDS = ['agent', 'human', 'file', 'url', 'connector'] as const;
export const SourceKind = z.enum(SOURCE_KINDS);

export const TaskLink = z.strictObject({
  type: z.literal('task_knowledge'),
  taskId: z.string(),
  kind: z.enum(['references', 'produced']),
});
export type TaskLink = z.infer<typeof TaskLink>;

/** The fields of an item that keep name and form from the command to the op, the row and every answer. */
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
  chunks: z.array(z.object({ id: Id, ordinal: z.int(), text: z.string() })),
});
export type ItemDetail = Wire<typeof ItemDetail>;

/** What a search by item shows in addition to title, tags and text, as the row has it. */
export const EntryFields = z.object({
  confidence: itemFields.confidence,
  createdByAgentId: z.string(),
  supersededById: z.string().nullable(),
  expiresAt: z.string().nullable(),
});

/** Of a new item. What is not in the knowledge base is not embedded: nothing is left to wait for. */
export const firstEmbeddingStatus = (inKb: boolean): 'pending' | 'ready' => (inKb ? 'pending' : 'ready');
