import { notFound, readerOf } from '@cairn/access';
import { type CommandData, type MergeAnchor } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { checkPerson } from './edge.decider.js';
import type { WorkspaceState } from './state.js';
import { visibleItem } from './visible-item.js';

/** A `MergeEntities` whose names are sealed, each under the key of its chunk. */
export interface SealedMerge {
  readonly mergeId: string;
  readonly alias: readonly MergeAnchor[];
  readonly canonical: readonly MergeAnchor[];
}

export const decideMergeEntities = (state: WorkspaceState, { data, principal }: Decidable<SealedMerge>): Decision => {
  checkPerson(principal);
  const reader = readerOf(principal, 'rest');
  const { mergeId, alias, canonical } = data;
  for (const [field, anchors] of [['aliasId', alias] as const, ['canonicalId', canonical] as const]) {
    if (anchors.length === 0) throw notFound('entity', { field });
    for (const { itemId } of anchors) visibleItem(state, reader, itemId, field);
  }
  return decided(mergeId, {
    type: 'entity.merged',
    data: { mergeId, alias: [...alias], canonical: [...canonical] },
  });
};

export const decideSplitEntities = (
  state: WorkspaceState,
  { data: { mergeId }, principal }: Decidable<CommandData<'entity.split'>>,
): Decision => {
  checkPerson(principal);
  const merge = state.merges.get(mergeId);
  if (!merge) throw notFound('merge');
  return merge.isSplit ? alreadyDone(mergeId) : decided(mergeId, { type: 'entity.split', data: { mergeId } });
};
