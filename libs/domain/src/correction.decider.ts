import { notFound, readerOf } from '@cairn/access';
import { fail, type EventData, type Principal, type StoredChunk } from '@cairn/contracts';
import { decided, type Decidable, type Decision } from './decision.js';
import type { ItemState, WorkspaceState } from './state.js';
import { visibleItem } from './visible-item.js';

/** A proposed text that waits to be applied: sealed, and bound to its caller and to the text it is based on. */
export interface SealedCorrection {
  readonly correctionId: string;
  readonly chunkId: string;
  readonly itemId: string;
  readonly agentId: string;
  readonly expiresAtMs: number;
  /** The hash of the text that the proposal is based on. */
  readonly baseTextHash: string;
  /** The proposed text under the chunk's key. */
  readonly text: string;
  readonly textHash: string;
  readonly tokens: number;
}

const noSuchCorrection = () => notFound('correction', { field: 'correctionId' });

/** Agents make corrections, and see nothing in a sensitive folder, whatever their scopes. */
const correctable = (state: WorkspaceState, principal: Principal, itemId: string): ItemState => {
  try {
    return visibleItem(state, readerOf(principal, 'mcp'), itemId, 'correctionId');
  } catch {
    // The caller named a correction, not an item, so the error names the correction.
    throw noSuchCorrection();
  }
};

const corrected = (
  correction: SealedCorrection,
  item: ItemState,
  chunk: StoredChunk,
): EventData<'chunk.corrected'> => ({
  chunkId: chunk.chunkId,
  itemId: item.id,
  correctionId: correction.correctionId,
  ordinal: chunk.ordinal,
  oldText: chunk.text,
  newText: correction.text,
  oldTextHash: chunk.textHash,
  textHash: correction.textHash,
  tokens: correction.tokens,
  folderId: item.folderId,
  inKb: item.inKb,
  superseded: item.supersededById !== null,
  expiresAt: item.expiresAt,
  meta: item.meta,
});

/** Undefined for a correction that is unknown, or no longer known. */
export const decideCorrectChunk = (
  state: WorkspaceState,
  { data, principal, atMs }: Decidable<SealedCorrection | undefined>,
): Decision => {
  if (data?.agentId !== principal.agentId) throw noSuchCorrection();
  const item = correctable(state, principal, data.itemId);
  const chunk = item.chunks?.find(({ chunkId }) => chunkId === data.chunkId);
  if (!chunk) throw noSuchCorrection();
  if (atMs >= data.expiresAtMs) {
    throw fail('correction.expired', 'this correction was proposed too long ago: call correct for a new one', {
      field: 'correctionId',
    });
  }
  if (chunk.textHash !== data.baseTextHash) {
    const message = 'the text has changed since this correction was proposed: call correct again and show the new diff';
    throw fail('correction.stale', message, { field: 'correctionId' });
  }
  return decided(chunk.chunkId, { type: 'chunk.corrected', data: corrected(data, item, chunk) });
};
