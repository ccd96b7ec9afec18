import { CHUNKS_PER_OP_MAX, type DomainEvent, type EventData, type StoredChunk } from '@cairn/contracts';

/** The data of every op of an item, without its chunks. */
export type ChunkHead = Omit<EventData<'item.extended'>, 'chunks'>;

/** The chunks that the first op of an item carries. */
export const firstChunks = (chunks: readonly StoredChunk[]): StoredChunk[] => chunks.slice(0, CHUNKS_PER_OP_MAX);

/** The chunks that did not fit the first op, a fixed number in each further op. */
export const extensions = (head: ChunkHead, chunks: readonly StoredChunk[]): DomainEvent[] => {
  const events: DomainEvent[] = [];
  for (let start = CHUNKS_PER_OP_MAX; start < chunks.length; start += CHUNKS_PER_OP_MAX) {
    const part = chunks.slice(start, start + CHUNKS_PER_OP_MAX);
    events.push({ type: 'item.extended', data: { ...head, chunks: part } });
  }
  return events;
};
