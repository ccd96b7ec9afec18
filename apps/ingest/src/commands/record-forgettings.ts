import type { CommandServices } from './command.js';

/**
 * Records forgettings that the library has, and waits until no search holds their vectors in memory. The item is forgotten
 * even if this fails; the worker tries again before it destroys a key.
 */
export const recordForgettings = async (
  receiptIds: readonly string[],
  { ledger, memories, erasure, logger }: Pick<CommandServices, 'ledger' | 'memories' | 'erasure' | 'logger'>,
): Promise<void> => {
  if (receiptIds.length === 0) return;
  const recorded = ledger.record([...receiptIds]).catch((thrown: unknown) => {
    logger.warn({ err: thrown, receiptIds }, 'a forgetting is not in the forget ledger yet');
  });
  await Promise.all([recorded, memories.forget(receiptIds)]);
  erasure?.poke();
};
