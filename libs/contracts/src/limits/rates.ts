// Calls per hour of a token, and the quotas of a workspace.

export const RATE_PER_HOUR_MAX = 1_000_000;
export const RATE_PER_HOUR_DEFAULT = 1_000;
/** Requests below /api/v1 per token, counted separately from tool calls. Admin tokens have no cap by default. */
export const REST_PER_HOUR_DEFAULT = 36_000;
export const ADD_TO_KNOWLEDGE_PER_HOUR_MAX = 60;
/** A higher quota would be no limit in practice: use `null` instead. */
export const QUOTA_LIMIT_MAX = 1_000_000_000;
