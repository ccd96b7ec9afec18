import type { NatsConnection } from '@cairn/messaging';
import type { VectorModelStore } from '@cairn/op-log';
import { homeOf, PROJECTIONS, type Stores } from '@cairn/projections';
import type { LedgerKeeper } from '../erasure/ledger-keeper.js';
import type { ProjectionRunner } from '../projections/projection-runner.js';
import { ledgerStore } from './ledger-store.js';
import { opLogStore } from './op-log-store.js';
import type { StoreName, WatchedStore } from './store-watch.js';
import { vectorsStore } from './vectors-store.js';

export interface WatchedStoresParts {
  readonly nats: NatsConnection;
  readonly stores: Stores;
  readonly projections: Pick<ProjectionRunner, 'reread'>;
  readonly models: VectorModelStore;
  readonly ledger: LedgerKeeper;
  readonly replicas: number;
}

/** Everything outside Postgres that has a checkpoint in it. */
export const watchedStores = (parts: WatchedStoresParts): WatchedStore[] => {
  const { nats, stores, projections, models, ledger, replicas } = parts;
  const { pool } = stores;
  return [
    opLogStore(stores),
    vectorsStore({ nats, pool, models, replicas, reread: () => projections.reread('vectors') }),
    ledgerStore({ nats, pool, replicas, keeper: ledger }),
    ...projectionsOutside(parts),
  ];
};

/** A projection that is lost is created again by its own target. */
const projectionsOutside = ({ stores, projections }: WatchedStoresParts): WatchedStore[] =>
  PROJECTIONS.flatMap((projection) => {
    const { outside } = homeOf(projection, stores);
    if (!outside) return [];
    const heal = (): Promise<void> => Promise.resolve(projections.reread(projection.name));
    return [{ name: projection.name as StoreName, inspect: () => outside.inspect(), heal }];
  });
