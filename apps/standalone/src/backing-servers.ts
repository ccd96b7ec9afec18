import { startNatsServer, startPglite, wipePglite, type LocalServer } from '@cairn/local-servers';
import type { NatsAccess } from '@cairn/messaging';
import type { Logger } from '@cairn/observability';
import type { PostgresAccess } from '@cairn/persistence';
import type { GivenServers } from './given-servers.js';
import type { Home } from './home.js';

export interface BackingServers {
  readonly nats: NatsAccess;
  readonly database: PostgresAccess;
  /** Why the broker does not accept writes, and what to do; undefined while it does. */
  readonly brokerProblem: string | undefined;
  readonly childPids: { readonly nats: number | null; readonly postgres: number | null };
  stop(): Promise<void>;
}

export interface BackingServersOptions {
  /** Servers of the environment; an embedded one is started for each that is missing. */
  readonly given: GivenServers;
  readonly home: Home;
  readonly logger: Logger;
  readonly onRestart: () => void;
  /** A child cannot be restarted: the process must report that and end. */
  readonly onGiveUp: (error: Error) => void;
}

const DISK_FULL = 'the disk is full; free at least 32 MiB on the disk of CAIRN_HOME';

/** nats-server and PGlite as children, unless the environment configures others. */
export const startBackingServers = async ({
  given: { broker, database },
  home,
  logger,
  onRestart,
  onGiveUp,
}: BackingServersOptions): Promise<BackingServers> => {
  const withoutRoom = new Set<string>();
  const supervision = {
    log: (line: string) => logger.debug(line),
    onRestart: (server: LocalServer) => {
      withoutRoom.delete(server.name);
      logger.warn({ pid: server.pid }, `${server.name} died and was started again`);
      onRestart();
    },
    onNoRoom: (server: LocalServer) => {
      withoutRoom.add(server.name);
      logger.error(
        `${server.name} cannot write to ${home.dir}: the disk is full; free some space, it then recovers by itself`,
      );
    },
    onGiveUp,
  };
  const [nats, postgres] = await Promise.all([
    broker === undefined ? startNatsServer({ storeDir: home.natsDir, ...supervision }) : undefined,
    database === undefined ? startEmbeddedPostgres(home, logger, supervision) : undefined,
  ]);
  return {
    nats: broker ?? { url: nats!.url },
    database: database ?? { url: postgres!.url },
    get brokerProblem() {
      return nats && withoutRoom.has(nats.name) ? DISK_FULL : undefined;
    },
    get childPids() {
      return { nats: nats?.pid ?? null, postgres: postgres?.pid ?? null };
    },
    // The log of record stops last.
    stop: async () => {
      await postgres?.stop();
      await nats?.stop();
    },
  };
};

/** The database holds projections only, so one that does not open is deleted and rebuilt from the log. */
const startEmbeddedPostgres = async (
  home: Home,
  logger: Logger,
  supervision: Omit<Parameters<typeof startPglite>[0], 'dataDir'>,
): Promise<Awaited<ReturnType<typeof startPglite>>> => {
  try {
    return await startPglite({ dataDir: home.postgresDir, ...supervision });
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'pglite.corrupt') throw thrown;
    logger.warn('the embedded database is damaged; it is rebuilt from the op-log');
    wipePglite(home.postgresDir);
    return startPglite({ dataDir: home.postgresDir, ...supervision });
  }
};
