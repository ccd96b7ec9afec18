import { WaitingText } from '@cairn/contracts';
import { fieldAad, open, seal } from './cipher.js';

/** A text that waits for a decision is sealed under the key of its confirmation only. */
const aadOf = (workspaceId: string, confirmationId: string): string =>
  fieldAad(workspaceId, confirmationId, 'confirmation.requested', 1);

export const sealWaitingText = (
  key: Uint8Array,
  workspaceId: string,
  confirmationId: string,
  waiting: WaitingText,
): Buffer => seal(key, aadOf(workspaceId, confirmationId), Buffer.from(JSON.stringify(waiting)));

export const openWaitingText = (
  key: Uint8Array,
  workspaceId: string,
  confirmationId: string,
  sealed: Uint8Array,
): WaitingText => WaitingText.parse(JSON.parse(open(key, aadOf(workspaceId, confirmationId), sealed).toString()));
