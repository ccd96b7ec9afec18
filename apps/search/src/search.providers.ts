import { connectNats, type NatsConnection } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { objectToReplacements } from '@cairn/projections';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Provider } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { openConnections, type Connections } from './connections.js';
import { openReaders } from './readers.js';
import { followForgettings } from './resident/forgotten-chunks.js';
import { ResidentVectors } from './resident/resident-vectors.js';

export const CONFIG = Symbol('search.config');
export const NATS = Symbol('search.nats');
export const CONNECTIONS = Symbol('search.connections');
export const READERS = Symbol('search.readers');

const openBroker = ({ nats }: SearchConfig): Promise<NatsConnection> => connectNats(nats, 'search');

const connected = async (config: SearchConfig, nats: NatsConnection): Promise<Connections> => {
  objectToReplacements(nats, { usesOpenSearch: config.openSearch !== undefined, isWriter: false });
  return openConnections(config);
};

const openVault = async (nats: NatsConnection, config: SearchConfig): Promise<Vault> =>
  new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));

const openResident = async (
  nats: NatsConnection,
  { reads: { pool } }: Connections,
  { residentMb: budgetMb }: SearchConfig,
  { residentVectors, residentBytes, oversizedWorkspaces }: Metrics,
  logger: Logger,
): Promise<ResidentVectors> => {
  const resident = new ResidentVectors({
    pool,
    budgetMb,
    logger,
    onHeld: ({ rows, bytes }) => {
      residentVectors.set(rows);
      residentBytes.set(bytes);
    },
    onOversized: (workspaces) => oversizedWorkspaces.set(workspaces),
  });
  await followForgettings(nats, resident, logger);
  return resident;
};

/** The parts of search, in dependency order. The broker comes first: without it, nothing else is opened. */
export const SEARCH_PROVIDERS: Provider[] = [
  { provide: NATS, inject: [CONFIG], useFactory: openBroker },
  { provide: CONNECTIONS, inject: [CONFIG, NATS], useFactory: connected },
  { provide: Vault, inject: [NATS, CONFIG], useFactory: openVault },
  { provide: ResidentVectors, inject: [NATS, CONNECTIONS, CONFIG, Metrics, LOGGER], useFactory: openResident },
  { provide: READERS, inject: [NATS, CONNECTIONS, Vault, Metrics, ResidentVectors], useFactory: openReaders },
];
