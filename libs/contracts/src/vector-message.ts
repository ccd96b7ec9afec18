import { z } from 'zod';
import { VECTOR_DIMENSIONS_MAX } from './limits.js';
import { Uuid } from './text.js';
import { MODEL_ID_CHARS_MAX } from './vector-models.js';

/** One entry of VECTORS: derived data, keyed by chunk, keyed text hash and model. */
export const VectorMessage = z.strictObject({
  workspace: Uuid,
  itemId: Uuid,
  chunkId: Uuid,
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
  model: z.string().min(1).max(MODEL_ID_CHARS_MAX),
  dims: z.int().min(1).max(VECTOR_DIMENSIONS_MAX),
  /**
   * The position of the op that the text came from: of several texts of a chunk, the last one counts. Absent in old
   * messages.
   */
  position: z.int().min(0).default(0),
  /** Little-endian float32 values, sealed under the chunk's key. Null if the model refused this text permanently. */
  vector: z.base64().nullable(),
});
export type VectorMessage = z.infer<typeof VectorMessage>;

export const VECTOR_EVENT = { type: 'vector.computed', version: 1 } as const;

/** A vector is not a duplicate of an earlier message that its text was given up, even if it follows at once. */
export const vectorMessageId = ({ chunkId, textHash, model, position, vector }: VectorMessage): string =>
  `${chunkId}:${textHash}:${model}:${position}${vector === null ? ':failed' : ''}`;
