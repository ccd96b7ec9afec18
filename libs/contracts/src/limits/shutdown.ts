// How long a process takes to stop (ADR 0140).
import { PROPOSE_TIMEOUT_MS } from './commands-and-queries.js';

/** How long it answers the calls that it has accepted: as long as the longest call may take. */
export const DRAIN_MS_MAX = PROPOSE_TIMEOUT_MS;
/** When it ends in any case. The grace period of an orchestrator must be longer. */
export const STOP_MS_MAX = DRAIN_MS_MAX + 10_000;
