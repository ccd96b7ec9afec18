// Tokens, and the codes that sign a person in to the console.

export const FOLDERS_PER_TOKEN_MAX = 100;
/** The SDKs refuse a token without an expiry, so a token that is issued without one gets this lifetime. */
export const TOKEN_LIFE_DAYS_DEFAULT = 365;
/** Tokens with open streams that one request checks. */
export const TOKENS_PER_CHECK_MAX = 1_000;
/** The one-time code in the link that is printed at startup: how long it is valid, and how long a guess may be. */
export const SIGN_IN_CODE_LIFE_MS = 15 * 60_000;
export const SIGN_IN_CODE_CHARS_MAX = 64;
