// Texts of `remember` that wait for a person to decide where they belong.

/** How long a text waits, and how many may wait in a workspace. */
export const CONFIRMATION_LIFE_MS = 24 * 60 * 60_000;
export const CONFIRMATIONS_PENDING_MAX = 100;
/** How long a discarded text can be restored. It is erased at this time, or when it expires, whichever comes first. */
export const CONFIRMATION_UNDO_MS = 10 * 60_000;
/** The part of a waiting text that is shown to the person who decides. */
export const CONFIRMATION_PREVIEW_CHARS = 400;
