import { TOKEN_REVOKED_SUBJECT, type QueryType } from '@cairn/contracts';
import { DocumentParser } from '@cairn/documents';
import { builtInConnectors } from '@cairn/connectors';
import type { ExternalServers } from '@cairn/external-mcp';
import { systemClock, uuidV7, type Clock } from '@cairn/kernel';
import { Requester, watchIngests, type NatsConnection } from '@cairn/messaging';
import { Metrics, type Logger } from '@cairn/observability';
import { fetchPublic } from '@cairn/web-fetch';
import { Module, type DynamicModule } from '@nestjs/common';
import { Authenticator, invalidToken } from './auth/authenticator.js';
import { ClientAddresses, type Network } from './auth/client-address.js';
import { ResourceMetadataController } from './auth/resource-metadata.controller.js';
import { SignInCodes } from './auth/sign-in-codes.js';
import { TokenWatch } from './auth/token-watch.js';
import { CairnClient, type Caller } from './cairn/cairn-client.js';
import { sharedPositions, WrittenPositions } from './cairn/written-positions.js';
import { AccountSync } from './connectors/account-sync.js';
import { ConnectorRegistry } from './connectors/connector-registry.js';
import { openAccountWith } from './connectors/open-account.js';
import { openExternal } from './external/open-external.js';
import { ServerDesk } from './external/server-desk.js';
import type { OwnAddress } from './external/server-url.js';
import { OpenStreams } from './http/open-streams.js';
import { JetStreamRateCounter } from './limits/jetstream-rate-counter.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { Dispatcher } from './mcp/dispatcher.js';
import { InitializeLeg } from './mcp/initialize-leg.js';
import { legacyServer, type CreateServer } from './mcp/legacy-server.js';
import { McpEndpoint } from './mcp/mcp-endpoint.js';
import { McpController } from './mcp/mcp.controller.js';
import { Sessions } from './mcp/sessions.js';
import { sharedSessions } from './mcp/shared-sessions.js';
import { SseLeg } from './mcp/sse-leg.js';
import { SseRelay } from './mcp/sse-relay.js';
import { StatelessLeg } from './mcp/stateless-leg.js';
import { DailyTokens } from './mesh/daily-tokens.js';
import { JetStreamBudgetCounter } from './mesh/jetstream-budget-counter.js';
import { MeshResolver } from './mesh/mesh-resolver.js';
import { HealthController } from './ops/health.controller.js';
import { ReadinessProbe, type NeededService } from './ops/readiness.js';
import { PageReader, refuseToFetch } from './pages/page-reader.js';
import { EventStreams } from './rest/event-stream.js';
import { ItemBatches } from './rest/item-batches.js';
import { OpenApiController } from './rest/openapi.controller.js';
import { PublishedRoutes } from './rest/published-routes.js';
import { REST_CONTROLLERS } from './rest/rest-controllers.js';
import { operationsOf } from './rest/rest-operations.js';
import { UnknownRouteController } from './rest/unknown-route.controller.js';

export interface GatewayParts {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fetchUrls: boolean;
  /** Longer texts of artifacts are cut to this budget; undefined disables cutting. */
  readonly compaction?: { readonly maxTokens: number } | undefined;
  readonly connectorRoots: readonly string[];
  readonly mcpLocalOrigins?: readonly string[] | undefined;
  readonly trustedProxies?: readonly Network[] | undefined;
  readonly servesOps: boolean;
  readonly needs: readonly NeededService[];
  /** The address of the gateway, once it listens. */
  readonly ownAddress: () => OwnAddress | undefined;
  /** True if no other gateway uses the broker, so there is none to inform of a write. */
  readonly isAlone?: boolean | undefined;
  /** Set by tests only. */
  readonly clock?: Clock | undefined;
}

/** The resources that the process has to end by itself when it stops. */
export interface GatewayRuntime {
  readonly readiness: ReadinessProbe;
  readonly sessions: Sessions;
  readonly stateless: StatelessLeg;
  readonly sse: SseLeg;
  readonly streams: OpenStreams;
  readonly dispatcher: Dispatcher;
  readonly events: EventStreams;
  readonly watch: TokenWatch;
  readonly parser: DocumentParser;
  readonly codes: SignInCodes;
  readonly externalServers: ExternalServers;
}

export const GATEWAY_RUNTIME = Symbol('GatewayRuntime');

/** Wires the gateway. It talks to Cairn over NATS only; no database, index or domain rule is within its reach. */
@Module({})
export class GatewayModule {
  static register(parts: GatewayParts): DynamicModule {
    const { nats, logger, metrics, fetchUrls, clock = systemClock } = parts;
    const { connectorRoots, mcpLocalOrigins: localOrigins = [], ownAddress, compaction, isAlone = false } = parts;
    const replicaId = uuidV7();
    const requester = isAlone ? new Requester(nats) : new Requester(nats, watchIngests(nats));
    const authenticator = new Authenticator(requester, clock, () => metrics.authRefused.inc());
    const assertGood = (tokenId: string): void => {
      if (authenticator.hasEnded(tokenId)) throw invalidToken();
    };
    const positions = isAlone ? new WrittenPositions() : sharedPositions(nats, replicaId);
    const cairn = new CairnClient(requester, reportViolation(logger, metrics), assertGood, positions);
    const watch = new TokenWatch(requester, systemClock);
    const limits = new RateLimiter(new JetStreamRateCounter(nats), clock, logger, metrics);
    const parser = new DocumentParser();
    const fetchPage = fetchUrls ? fetchPublic : refuseToFetch;
    const pages = new PageReader(fetchPage, parser);
    const connectors = new ConnectorRegistry(builtInConnectors({ roots: connectorRoots, fetchPage }));
    const counter = new JetStreamBudgetCounter(nats);
    const dailyTokens = new DailyTokens(counter, clock);
    const inFlight = new Map<string, number>();
    const openAccount = openAccountWith(cairn);
    const mesh = new MeshResolver({
      ...{ registry: connectors, openAccount, parser, counter, dailyTokens, inFlight, clock, metrics },
    });
    const external = openExternal({ nats, cairn, localOrigins, ownAddress, clock, logger, metrics });
    const dispatcher = new Dispatcher(cairn, pages, mesh, limits, external.tools, logger, metrics, { compaction });
    const createServer: CreateServer = (principal) => legacyServer(dispatcher, principal);
    const streams = new OpenStreams();
    const sessions = isAlone ? new Sessions() : sharedSessions(nats);
    const stateless = new StatelessLeg(dispatcher, logger);
    const sse = new SseLeg(createServer, streams, new SseRelay(nats, replicaId));
    const legs = { initialize: new InitializeLeg(sessions, createServer, streams), stateless, sse };
    const events = new EventStreams(nats, streams);
    const codes = new SignInCodes(nats, clock);
    const readiness = new ReadinessProbe(nats, requester, parts.needs);
    const addresses = new ClientAddresses(parts.trustedProxies);
    const health = parts.servesOps ? [HealthController] : [];
    const { servers: externalServers } = external;
    const runtime: GatewayRuntime = {
      ...{ readiness, sessions, stateless, sse, streams, dispatcher, events, watch, parser, codes, externalServers },
    };
    watch.onEnd((tokenId) => authenticator.end(tokenId));
    nats.subscribe(TOKEN_REVOKED_SUBJECT, { callback: (_, message) => watch.end(message.string()) });
    return {
      module: GatewayModule,
      controllers: [
        ...[McpController, ResourceMetadataController, OpenApiController, ...health],
        ...[...REST_CONTROLLERS, UnknownRouteController],
      ],
      providers: [
        { provide: Metrics, useValue: metrics },
        { provide: ReadinessProbe, useValue: readiness },
        {
          provide: McpEndpoint,
          useValue: new McpEndpoint(authenticator, addresses, watch, dispatcher, legs, streams, external.tools, logger),
        },
        { provide: ClientAddresses, useValue: addresses },
        { provide: Authenticator, useValue: authenticator },
        { provide: CairnClient, useValue: cairn },
        { provide: AccountSync, useValue: new AccountSync(connectors, openAccount, parser, clock) },
        { provide: DailyTokens, useValue: dailyTokens },
        { provide: ConnectorRegistry, useValue: connectors },
        { provide: DocumentParser, useValue: parser },
        { provide: EventStreams, useValue: events },
        { provide: ItemBatches, useValue: new ItemBatches(limits, logger) },
        { provide: PublishedRoutes, useValue: new PublishedRoutes(operationsOf(REST_CONTROLLERS)) },
        { provide: RateLimiter, useValue: limits },
        { provide: ServerDesk, useValue: external.desk },
        { provide: SignInCodes, useValue: codes },
        { provide: TokenWatch, useValue: watch },
        { provide: GATEWAY_RUNTIME, useValue: runtime },
      ],
    };
  }
}

/** This must never happen, so it is logged as an error; an operator's alert depends on the metric. */
const reportViolation =
  (logger: Logger, metrics: Metrics) =>
  (type: QueryType, dropped: number, { correlationId }: Caller): void => {
    metrics.scopeViolations.inc({ type }, dropped);
    logger.error({ type, dropped, correlationId }, 'an answer held what its reader may not see; it was dropped');
  };
