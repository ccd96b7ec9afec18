import { connectNats, type NatsConnection } from '@cairn/messaging';
import { Metrics } from '@cairn/observability';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Provider } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { openConnections } from './connections.js';
import { openReaders } from './readers.js';

export const CONFIG = Symbol('search.config');
export const NATS = Symbol('search.nats');
export const CONNECTIONS = Symbol('search.connections');
export const READERS = Symbol('search.readers');

const openBroker = ({ natsUrl }: SearchConfig): Promise<NatsConnection> => connectNats(natsUrl, 'search');

const openVault = async (nats: NatsConnection, config: SearchConfig): Promise<Vault> =>
  new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));

/** The parts of search, in dependency order. The broker comes first: without it, nothing else is opened. */
export const SEARCH_PROVIDERS: Provider[] = [
  { provide: NATS, inject: [CONFIG], useFactory: openBroker },
  { provide: CONNECTIONS, inject: [CONFIG, NATS], useFactory: openConnections },
  { provide: Vault, inject: [NATS, CONFIG], useFactory: openVault },
  { provide: READERS, inject: [NATS, CONNECTIONS, Vault, Metrics], useFactory: openReaders },
];
