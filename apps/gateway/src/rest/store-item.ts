import { fail, firstEmbeddingStatus, type TextFormat } from '@cairn/contracts';
import { systemClock } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import type { NewItem } from './item.schema.js';

/** A person who uploads a document vouches for it; an agent's note has less weight (`store_knowledge`). */
const DOCUMENT_CONFIDENCE = 100;

const futureTime = (expiresAt: string | undefined): string | null => {
  if (expiresAt === undefined) return null;
  const at = Date.parse(expiresAt);
  if (at > systemClock.now()) return new Date(at).toISOString();
  throw fail('knowledge.expires_in_past', 'expiresAt must be strictly in the future', { field: 'expiresAt' });
};

export const storeItem = async (
  cairn: CairnPort,
  { expiresAt, folderId, source, ...body }: NewItem & { readonly format?: TextFormat },
  kind: 'document' | 'file' | 'log-card',
) => {
  const { name, uri } = source;
  const stored = await cairn.command('item.store', {
    ...body,
    ...(folderId ? { folderId } : {}),
    kind,
    source: { kind: source.kind, ...(name ? { name } : {}), ...(uri ? { uri } : {}) },
    confidence: DOCUMENT_CONFIDENCE,
    expiresAt: futureTime(expiresAt),
    surface: 'rest',
  });
  const { itemId, position } = stored;
  // The answer matches what a reader sees: outside the knowledge base, a text has no chunks.
  const chunkIds = body.inKb ? stored.chunkIds : [];
  return { id: itemId, chunkIds, embeddingStatus: firstEmbeddingStatus(body.inKb), position };
};
