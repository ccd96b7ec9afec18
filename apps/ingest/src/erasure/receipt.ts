import type { EventData, StoreErasure } from '@cairn/contracts';
import { canonicalJson } from '@cairn/op-log';
import type { Forgetting, StoreFinding } from '@cairn/projections';
import type { InstanceSecrets } from '@cairn/vault';

/** The proof of a forgetting. The signature is over the canonical JSON (RFC 8785) of everything else. */
export const signedReceipt = (
  secrets: InstanceSecrets,
  forgetting: Forgetting,
  findings: readonly StoreFinding[],
  at: string,
): EventData<'receipt.issued'> => {
  const stores = findings.map(({ store, method }): StoreErasure => ({ store, method, at, result: 'erased' }));
  const { keyId } = secrets.signingKey;
  const unsigned = {
    receiptId: forgetting.receiptId,
    workspaceId: forgetting.workspaceId,
    itemId: forgetting.itemId,
    chunkIds: [...forgetting.chunkIds],
    sourceRemoved: forgetting.sourceRemoved,
    position: forgetting.position,
    forgottenAt: forgetting.forgottenAt.toISOString(),
    stores,
    issuedAt: at,
    keyId,
  };
  return { ...unsigned, signature: secrets.sign(canonicalJson(unsigned)).signature };
};
