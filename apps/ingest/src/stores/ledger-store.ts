import { FORGOTTEN_STREAM } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { createStream, streamState } from '@cairn/op-log';
import { LEDGER_CHECKPOINT, readSlot, type Inspection } from '@cairn/projections';
import type { Pool } from 'pg';
import type { LedgerKeeper } from '../erasure/ledger-keeper.js';
import type { WatchedStore } from './store-watch.js';

export interface LedgerStoreParts {
  readonly nats: NatsConnection;
  readonly pool: Pool;
  readonly replicas: number;
  readonly keeper: Pick<LedgerKeeper, 'reapply'>;
}

/** The forget ledger. Everything that the library knows to be forgotten is written to it again. */
export const ledgerStore = ({ nats, pool, replicas, keeper }: LedgerStoreParts): WatchedStore => ({
  name: FORGOTTEN_STREAM,
  inspect: async (): Promise<Inspection> => {
    const checkpoint = (await readSlot(pool, LEDGER_CHECKPOINT))?.checkpoint.position ?? 0;
    const last = (await streamState(nats, FORGOTTEN_STREAM))?.last;
    if (last !== undefined && last >= checkpoint) return { isLost: false, problem: undefined };
    const found = last === undefined ? 'does not exist any more' : `was set back from ${checkpoint} to ${last}`;
    return { isLost: true, problem: `the forget ledger, ${FORGOTTEN_STREAM}, ${found}; it is written again` };
  },
  heal: async () => {
    if (!(await streamState(nats, FORGOTTEN_STREAM))) await createStream(nats, FORGOTTEN_STREAM, replicas);
    await keeper.reapply();
  },
});
