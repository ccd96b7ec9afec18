import { findForgettings, findLeftovers, type StoreFinding } from '@cairn/projections';
import type { Engines } from '../connection.js';
import { checkReceipt, type ReceiptFinding } from './check-receipt.js';

export interface ForgottenReport {
  readonly id: string;
  /** Empty when nothing with this id was forgotten. */
  readonly forgettings: readonly {
    readonly receiptId: string;
    readonly itemId: string;
    readonly sourceRemoved: boolean;
    readonly position: number;
    readonly receipt: ReceiptFinding;
    readonly stores: readonly StoreFinding[];
  }[];
  readonly left: number;
}

/** Searches every store for remains of something forgotten, and checks its receipt. Reads only. */
export const verifyForgotten = async (engines: Engines, id: string): Promise<ForgottenReport> => {
  const { pool, vault } = engines;
  const { publicKey } = (await vault.secrets()).signingKey;
  const forgettings = [];
  for (const forgetting of await findForgettings(pool, id)) {
    const { receiptId, itemId, sourceRemoved, position } = forgetting;
    forgettings.push({
      receiptId,
      itemId,
      sourceRemoved,
      position,
      receipt: await checkReceipt(pool, receiptId, publicKey),
      stores: await findLeftovers(engines, forgetting),
    });
  }
  const left = forgettings.flatMap((one) => one.stores).reduce((sum, store) => sum + store.left, 0);
  return { id, forgettings, left };
};
