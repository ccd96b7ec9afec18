import type { CommandServices } from './command.js';

/** The item is forgotten even if this fails; the worker tries again before it destroys a key. */
export const recordForgettings = async (
  receiptIds: readonly string[],
  { ledger, erasure, logger }: Pick<CommandServices, 'ledger' | 'erasure' | 'logger'>,
): Promise<void> => {
  if (receiptIds.length === 0) return;
  await ledger.record([...receiptIds]).catch((thrown: unknown) => {
    logger.warn({ err: thrown, receiptIds }, 'a forgetting is not in the forget ledger yet');
  });
  erasure?.poke();
};
