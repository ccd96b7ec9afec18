import { chunksOf, isTextOp, OPLOG_STREAM, type Op, type StoredChunk, type TextOp } from '@cairn/contracts';
import { headingPaths, type Heading, type HeadingPaths } from '@cairn/domain';
import type { NatsConnection } from '@cairn/messaging';
import { decodeOp, type VectorLog } from '@cairn/op-log';
import { openText, type ItemKeys } from '@cairn/vault';
import { jetstreamManager } from '@nats-io/jetstream';
import { LRUCache } from 'lru-cache';

/** Ops whose open headings are remembered, for a short time: the parts of a long document follow each other. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_MS = 60_000;

export interface KnownDocument {
  readonly chunks: readonly StoredChunk[];
  /** Sealed; undefined if no op of the item is known. */
  readonly meta: string | undefined;
}

export const textOfChunk = (
  { workspace, keys }: { readonly workspace: string; readonly keys: ItemKeys },
  { chunkId, text }: StoredChunk,
): string => {
  const key = keys.chunks.get(chunkId);
  // A forgotten chunk has no text; its place in the document stays empty.
  return key ? openText(key, workspace, chunkId, Buffer.from(text, 'base64')) : '';
};

/** Finds the rest of a document whose op carries only a part of it. */
export class DocumentReader {
  private readonly openAt = new LRUCache<number, readonly Heading[]>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });

  constructor(private readonly options: { readonly nats: NatsConnection; readonly vectors: VectorLog }) {}

  async opAt(position: number): Promise<Op | undefined> {
    const manager = await jetstreamManager(this.options.nats, { checkAPI: false });
    const stored = await manager.direct.getMessage(OPLOG_STREAM, { seq: position });
    return stored ? decodeOp(stored.seq, stored.subject, stored.data).op : undefined;
  }

  /** The headings that are open where the chunks of this op begin: those of the part in the op before. */
  private async openBefore(op: TextOp, keys: ItemKeys): Promise<readonly Heading[]> {
    if (op.type !== 'item.extended' || op.position === 1) return [];
    const known = this.openAt.get(op.position - 1);
    if (known) return known;
    const before = await this.opAt(op.position - 1);
    if (!before || !isTextOp(before) || before.data.itemId !== op.data.itemId) return [];
    const texts = chunksOf(before.data).map((chunk) => textOfChunk({ workspace: op.workspace, keys }, chunk));
    return (await this.paths(before, keys, texts)).open;
  }

  /** The heading path of each text of the op; the headings that stay open are remembered for the op after it. */
  async paths(op: TextOp, keys: ItemKeys, texts: readonly string[]): Promise<HeadingPaths> {
    const found = headingPaths(texts, await this.openBefore(op, keys));
    this.openAt.set(op.position, found.open);
    return found;
  }

  /**
   * An item as it was before a position: its chunks in their order, and its newest title. The vectors of the item tell
   * which ops carry it, because the subjects of ops do not name items; a chunk without any vector is missing.
   */
  async documentBefore(workspace: string, itemId: string, position: number): Promise<KnownDocument> {
    const vectors = await this.options.vectors.vectorsOf(workspace, itemId);
    const positions = new Set(vectors.map(({ message }) => message.position).filter((at) => at > 0 && at < position));
    const chunks = new Map<string, StoredChunk>();
    let meta: string | undefined;
    for (const at of [...positions].sort((a, b) => a - b)) {
      const op = await this.opAt(at);
      // A vector that was made again after a forgetting has the position of that op, which carries no text.
      if (!op || !isTextOp(op)) continue;
      for (const chunk of chunksOf(op.data)) chunks.set(chunk.chunkId, chunk);
      ({ meta } = op.data);
    }
    return { chunks: [...chunks.values()].sort((a, b) => a.ordinal - b.ordinal), meta };
  }
}
