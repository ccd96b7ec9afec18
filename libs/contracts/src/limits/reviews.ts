// What a person decides about the graph: merges and verdicts.

/** Chunks that a merge names for each of its two names; the merge stays valid while one chunk of each is left. */
export const MERGE_ANCHORS_MAX = 4;
/** Names that are compared with each other to suggest merges. */
export const NAMES_COMPARED_MAX = 20_000;
/** Chunks that state the same edge and get the same verdict in one command; also those that an edge is shown with. */
export const REVIEWED_TOGETHER_MAX = 100;
/** Entries of one kind that the review inbox works on, the newest ones. */
export const REVIEW_ENTRIES_MAX = 1_000;
