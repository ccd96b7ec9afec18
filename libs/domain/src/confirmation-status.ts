import type { ConfirmationState } from './state.js';

/** `over`: its time has run out, and the next sweep erases it. `erased`: nothing is left of its text. */
export type ConfirmationStatus = 'waiting' | 'discarded' | 'over' | 'erased';

export const confirmationStatus = (confirmation: ConfirmationState, atMs: number): ConfirmationStatus => {
  const { sealed, expiresAtMs, restorableUntilMs } = confirmation;
  if (sealed === null) return 'erased';
  if (Math.min(expiresAtMs, restorableUntilMs ?? expiresAtMs) <= atMs) return 'over';
  return restorableUntilMs === null ? 'waiting' : 'discarded';
};
