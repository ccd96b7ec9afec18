import type { Op, StoredChunk } from './events.js';

/** An op that says how chunks read from then on. */
export type TextOp = Extract<Op, { type: 'item.stored' | 'item.extended' | 'item.placed' | 'chunk.corrected' }>;

const TEXT_OPS: readonly string[] = [
  'item.stored',
  'item.extended',
  'item.placed',
  'chunk.corrected',
] satisfies TextOp['type'][];

export const isTextOp = (op: Op): op is TextOp => TEXT_OPS.includes(op.type);

/** Its chunks as they read from then on. */
export const chunksOf = (data: TextOp['data']): readonly StoredChunk[] => {
  if ('chunks' in data) return data.chunks;
  const { chunkId, ordinal, newText: text, textHash, tokens } = data;
  return [{ chunkId, ordinal, text, textHash, tokens }];
};
