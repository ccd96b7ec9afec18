// Proposals of `correct`, and the model that words them.

/** How long the instruction may be, and how long its proposal can be applied. */
export const CORRECTION_INSTRUCTION_CHARS_MAX = 2_000;
export const CORRECTION_LIFE_MS = 10 * 60_000;
/** How long an expired proposal is still reported as expired; after that it is not found. */
export const CORRECTION_KEPT_MS = CORRECTION_LIFE_MS + 5 * 60_000;
/** The disk space on the broker for all proposals that wait to be applied. */
export const CORRECTIONS_BYTES_MAX = 268_435_456;
/** A request to a model for a correction: its time, the size of the answer, and how many calls may wait. */
export const CORRECTION_MODEL_TIMEOUT_MS = 30_000;
export const CORRECTION_ANSWER_BYTES_MAX = 262_144;
export const CORRECTIONS_IN_FLIGHT_PER_WORKSPACE = 4;
/** How long `apply` waits for the vector of the new text before it reports that there is none yet. */
export const CORRECTION_VECTOR_WAIT_MS = 3_000;
