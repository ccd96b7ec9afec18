import { asAppError, type LedgerEntry } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import type { ForgetLedger } from '@cairn/op-log';
import {
  findRevived,
  LEDGER_CHECKPOINT,
  ledgerEntriesOf,
  moveLedgerCheckpoint,
  setCheckpoint,
  unrecordedForgettings,
} from '@cairn/projections';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

/** The number of commands that may wait for a workspace is limited, so this many are sent together. */
const TOGETHER_MAX = 100;
/** Concurrent lookups in the key store; many of them share one request. */
const KEYS_TOGETHER_MAX = 10_000;
/** Another process that started from the same copy was first. */
const DONE_ALREADY = new Set(['item.not_found', 'chunk.not_found', 'confirmation.not_found', 'confirmation.closed']);

export interface LedgerKeeperParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly ledger: ForgetLedger;
  readonly logger: Logger;
  /** Forgets the item or the chunk with a command of the installation, under its original receipt. */
  readonly forget: (entry: LedgerEntry) => Promise<unknown>;
  /** Erases a waiting text that has become the item. */
  readonly eraseWaiting: (workspaceId: string, confirmationId: string) => Promise<unknown>;
}

/**
 * Keeps the forget ledger and the library consistent: every forgetting is in the ledger before its keys are destroyed,
 * and content that an earlier copy of log, keys or database brings back is forgotten again before any request is
 * answered (ADR 0033).
 */
export class LedgerKeeper {
  constructor(private readonly parts: LedgerKeeperParts) {}

  /** Durable when it resolves. The library already has the forgettings. */
  async record(receiptIds: readonly string[]): Promise<void> {
    const { pool, ledger } = this.parts;
    const position = await ledger.add(await ledgerEntriesOf(pool, receiptIds));
    // Every earlier entry of the ledger was also written after its op.
    await moveLedgerCheckpoint(pool, position);
  }

  /** Runs before the first command and, since search checks the checkpoint, before the first answer. */
  async reapply(): Promise<void> {
    const { pool, ledger } = this.parts;
    const { entries, last } = await ledger.read();
    await this.forgetAgain(entries);
    await this.destroyKeys(entries);
    const receiptIds = entries.map(({ receiptId }) => receiptId);
    // Left by a process that died in between, or by a version without a ledger.
    const added = await ledger.add(await unrecordedForgettings(pool, receiptIds));
    await setCheckpoint(pool, LEDGER_CHECKPOINT, Math.max(last, added));
  }

  private async forgetAgain(entries: readonly LedgerEntry[]): Promise<void> {
    const { pool, logger, forget, eraseWaiting } = this.parts;
    const { items, chunks, confirmations } = await findRevived(pool, entries);
    await each([...items, ...chunks], TOGETHER_MAX, (entry) => unlessDone(forget(entry)));
    await each(confirmations, TOGETHER_MAX, ({ workspaceId, confirmationId }) =>
      unlessDone(eraseWaiting(workspaceId, confirmationId!)),
    );
    const counts = { items: items.length, chunks: chunks.length, confirmations: confirmations.length };
    if (counts.items + counts.chunks + counts.confirmations > 0)
      logger.warn(counts, 'an earlier copy has brought back what was forgotten: it is forgotten again');
  }

  /** A key store that is older than the log may have keys of forgotten content. */
  private async destroyKeys(entries: readonly LedgerEntry[]): Promise<void> {
    const { vault, logger } = this.parts;
    let destroyed = 0;
    await each(entries, KEYS_TOGETHER_MAX, async ({ workspaceId, itemId, chunkId, confirmationId }) => {
      const owners = [
        { id: itemId, chunkId },
        ...(confirmationId === null ? [] : [{ id: confirmationId, chunkId: null }]),
      ];
      for (const owner of owners) {
        if (!(await vault.hasKeys(workspaceId, owner.id, owner.chunkId ?? undefined))) continue;
        if (owner.chunkId === null) await vault.destroy(workspaceId, owner.id);
        else await vault.destroyChunks(workspaceId, owner.id, [owner.chunkId]);
        destroyed++;
      }
    });
    if (destroyed > 0) logger.info({ destroyed }, 'keys of what was forgotten are destroyed again');
  }
}

const each = async <T>(all: readonly T[], together: number, work: (one: T) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < all.length; start += together)
    await Promise.all(all.slice(start, start + together).map(work));
};

const unlessDone = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((thrown: unknown) => {
    if (!DONE_ALREADY.has(asAppError(thrown).code)) throw thrown;
  });
};
