import type { Op, StoredChunk } from './events.js';

/** An op that sets the text of chunks from that point on. */
export type TextOp = Extract<Op, { type: 'item.stored' | 'item.extended' | 'item.placed' | 'chunk.corrected' }>;

const TEXT_OPS: readonly string[] = [
  'item.stored',
  'item.extended',
  'item.placed',
  'chunk.corrected',
] satisfies TextOp['type'][];

export const isTextOp = (op: Op): op is TextOp => TEXT_OPS.includes(op.type);

/** The chunks of the op with their new text. */
export const chunksOf = (data: TextOp['data']): readonly StoredChunk[] => {
  if ('chunks' in data) return data.chunks;
  const { chunkId, ordinal, newText: text, textHash, tokens } = data;
  return [{ chunkId, ordinal, text, textHash, tokens }];
};
