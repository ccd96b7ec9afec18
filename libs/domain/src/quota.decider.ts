import { fail, type CommandData, type QuotaName } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { WorkspaceState } from './state.js';

export const decideSetQuota = (
  state: WorkspaceState,
  { data, principal }: Decidable<CommandData<'quota.set'>>,
): Decision => {
  const { name, limit } = data;
  if (state.quotas[name].limit === limit) return alreadyDone(principal.workspaceId);
  return decided(principal.workspaceId, { type: 'quota.set', data: { name, limit } });
};

/**
 * Checks that there is room for one more. The following append expects the log head at which the count was taken, so
 * two commands cannot take the last place.
 */
export const checkQuota = ({ quotas }: WorkspaceState, quota: QuotaName): void => {
  const { limit, used } = quotas[quota];
  if (limit === null || used < limit) return;
  const message = `the quota ${quota} of this workspace is used up: ${used} of ${limit}; an admin can raise it`;
  throw fail('quota.exceeded', message, { quota, limit });
};
