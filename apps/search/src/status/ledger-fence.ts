import { fail, FORGOTTEN_STREAM } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { LEDGER_CHECKPOINT } from '@cairn/projections';
import { jetstreamManager } from '@nats-io/jetstream';
import type { ProjectionReader } from './projection-reader.js';

const NO_STREAM = 10059;

/**
 * A database that was restored to an earlier state shows content that was forgotten since. Nothing is answered until
 * ingest has removed again what the forget ledger lists (ADR 0033); from then on, the fence stays open.
 */
export class LedgerFence {
  private isOpen = false;

  constructor(
    private readonly nats: NatsConnection,
    private readonly projections: Pick<ProjectionReader, 'checkpoint'>,
  ) {}

  async check(): Promise<void> {
    if (this.isOpen) return;
    const [applied, last] = await Promise.all([this.projections.checkpoint(LEDGER_CHECKPOINT), this.lastEntry()]);
    if (applied < last)
      throw fail('projection.unavailable', 'what was forgotten is being taken out of an earlier copy; try again');
    this.isOpen = true;
  }

  private async lastEntry(): Promise<number> {
    try {
      const { streams } = await jetstreamManager(this.nats, { checkAPI: false });
      return (await streams.info(FORGOTTEN_STREAM)).state.last_seq;
    } catch (thrown) {
      // Ingest, which creates it, has never run here, so nothing has been forgotten yet.
      if ((thrown as { code?: number }).code === NO_STREAM) return 0;
      throw fail('oplog.unavailable', 'the broker is unavailable; try again', {}, thrown);
    }
  }
}
