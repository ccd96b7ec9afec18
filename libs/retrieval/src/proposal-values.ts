import type { Proposal } from './vector-candidates.port.js';

const NOTHING_PROPOSED = [null, null, null, null, []] as const;

/** A proposal as the last parameters of a ranking function. */
export const proposalValues = (proposal: Proposal | undefined): readonly unknown[] => {
  if (!proposal) return NOTHING_PROPOSED;
  const { chunkIds, reach, seq, position, unseenFolders } = proposal;
  return [chunkIds, reach, seq, position, unseenFolders];
};

/** The columns in which a ranking function returns what it found about the proposal. */
export interface ProposalUseRow {
  readonly behind: number | null;
  readonly was_short: boolean | null;
}

export const reportUse = (proposal: Proposal | undefined, row: ProposalUseRow | undefined): void => {
  if (row?.behind != null) proposal?.onUsed({ behind: row.behind, wasShort: row.was_short === true });
};
