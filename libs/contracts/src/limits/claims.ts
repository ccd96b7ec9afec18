// Claims that `carabase_verify_hypothesis` weighs.

/** The length of a claim, and how many chunks are read to weigh it. */
export const CLAIM_CHARS_MAX = 1_000;
export const CLAIM_LIMIT_MAX = 20;
export const CLAIM_LIMIT_DEFAULT = 8;
