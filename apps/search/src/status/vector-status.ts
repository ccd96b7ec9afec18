import { plural, type StatusView } from '@cairn/contracts';
import { MISSING_COUNT_MAX, type MissingVectors } from './missing-vectors.js';

/** What the memory for vectors reports about itself. */
export interface ResidentReport {
  readonly budgetMb: number;
  /** Workspaces whose vectors exceed it: the database searches them. */
  readonly oversizedWorkspaces: number;
}

/** The vectors as a part of the status: whether the table is complete, and whether memory can hold it. */
export const vectorStatus = async (
  missing: Pick<MissingVectors, 'count'>,
  { budgetMb, oversizedWorkspaces }: ResidentReport,
): Promise<Partial<StatusView['components'][number]>> => {
  const count = await missing.count();
  if (count > 0) {
    const chunks = `${count === MISSING_COUNT_MAX ? 'At least ' : ''}${plural(count, 'chunk')}`;
    const note =
      `${chunks} cannot be found by meaning: the vectors were made, but the table does not hold them. ` +
      'Run `cairn oplog replay vectors`, which reports the difference, then `cairn oplog promote vectors --yes`.';
    return { ok: false, note };
  }
  if (oversizedWorkspaces === 0) return {};
  const note =
    `The vectors of ${plural(oversizedWorkspaces, 'workspace')} exceed CAIRN_VECTORS_RESIDENT_MB (${budgetMb}), ` +
    'so the database searches them, which is slower.';
  return { note };
};
