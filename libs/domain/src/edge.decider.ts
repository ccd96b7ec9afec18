import { notFound, readerOf } from '@cairn/access';
import {
  fail,
  isWorkspaceAdmin,
  type CommandData,
  type DomainEvent,
  type GraphOrigin,
  type Principal,
  type Surface,
} from '@cairn/contracts';
import { decided, type Decidable, type Decision } from './decision.js';
import { decideStoreItem, type SealedItem } from './item.decider.js';
import type { ItemState, WorkspaceState } from './state.js';
import { visibleItem } from './visible-item.js';

/** The statements about one chunk, sealed under its key. */
export interface SealedFindings {
  readonly chunkId: string;
  readonly textHash: string;
  readonly findings: string;
}

export interface Observation {
  readonly origin: GraphOrigin;
  readonly parts: readonly SealedFindings[];
}

/** The ops for statements about chunks of one item. */
export const observedEvents = (
  { origin, parts }: Observation,
  { itemId, folderId }: { readonly itemId: string; readonly folderId: string },
): DomainEvent[] =>
  parts.map((part) => ({ type: 'edge.observed', data: { itemId, folderId, origin, extractor: null, ...part } }));

/** Statements are accepted only for a chunk in the knowledge base, where the caller can find it. */
const observedItem = (state: WorkspaceState, principal: Principal, surface: Surface, itemId: string): ItemState => {
  try {
    const item = visibleItem(state, readerOf(principal, surface), itemId, 'chunkId');
    if (item.inKb) return item;
  } catch {
    // The caller named a chunk, so the error names the chunk.
  }
  throw notFound('chunk', { field: 'chunkId' });
};

export interface ObserveChunk extends Observation {
  readonly itemId: string;
  readonly surface: Surface;
}

export const decideObserveChunk = (state: WorkspaceState, { data, principal }: Decidable<ObserveChunk>): Decision => {
  const item = observedItem(state, principal, data.surface, data.itemId);
  for (const { chunkId, textHash } of data.parts) {
    const chunk = item.chunks?.find((one) => one.chunkId === chunkId);
    if (!chunk) throw notFound('chunk', { field: 'chunkId' });
    if (chunk.textHash !== textHash)
      throw fail('edge.stale', 'the text has changed meanwhile: read it again', { field: 'chunkId' });
  }
  return decided(data.parts[0]!.chunkId, ...observedEvents(data, { itemId: item.id, folderId: item.folderId }));
};

export interface ObserveText extends Observation {
  readonly item: SealedItem;
}

/** The text becomes an item, and the statements about it follow in the same batch. */
export const decideObserveText = (state: WorkspaceState, command: Decidable<ObserveText>): Decision => {
  const { item, ...observation } = command.data;
  const { entityId, events } = decideStoreItem(state, { ...command, data: item });
  const [first] = events;
  if (first?.type !== 'item.stored') return { entityId, events };
  return decided(entityId, ...events, ...observedEvents(observation, first.data));
};

/** An agent must not confirm its own guess. */
export const checkPerson = (principal: Principal): void => {
  if (!isWorkspaceAdmin(principal)) throw fail('scope.missing', 'this needs the scope admin, for the whole workspace');
};

/** The last verdict counts, so that a person can change it. Chunks that no longer exist get no verdict. */
export const decideReviewEdge = (
  state: WorkspaceState,
  { data, principal }: Decidable<CommandData<'edge.review'>>,
): Decision => {
  checkPerson(principal);
  const { edgeId, evidence, verdict } = data;
  const left = evidence.filter(({ itemId }) => state.items.has(itemId));
  if (left.length === 0) throw notFound('edge');
  return decided(edgeId, ...left.map((one): DomainEvent => ({ type: 'edge.reviewed', data: { ...one, verdict } })));
};
