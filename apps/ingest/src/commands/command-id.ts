import { createHash } from 'node:crypto';
import { uuidV8 } from '@cairn/kernel';

const derivedId = (...parts: readonly string[]): string =>
  uuidV8(createHash('sha256').update(JSON.stringify(parts)).digest('hex'));

/**
 * Ids of commands, with one namespace per origin (ADR 0055). A caller chooses a key, never an id: no key of a token can
 * match a command of another token or of Cairn itself.
 */
export const callerCommandId = (tokenId: string, key: string): string => derivedId('caller', tokenId, key);

/** Stable across a crash, so a receipt is issued once. */
export const receiptCommandId = (receiptId: string): string => derivedId('receipt', receiptId);

/** The same for all tokens of an agent, so a correction is applied once. */
export const correctionCommandId = (correctionId: string): string => derivedId('correction', correctionId);
