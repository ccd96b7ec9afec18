import { systemClock } from '@cairn/kernel';
import { Requester, type NatsConnection } from '@cairn/messaging';
import { Metrics, type Logger } from '@cairn/observability';
import { Module, type DynamicModule } from '@nestjs/common';
import { Authenticator } from './auth/authenticator.js';
import { CairnClient } from './cairn/cairn-client.js';
import { Dispatcher } from './mcp/dispatcher.js';
import { InitializeLeg } from './mcp/initialize-leg.js';
import { legacyServer } from './mcp/legacy-server.js';
import { McpEndpoint } from './mcp/mcp-endpoint.js';
import { McpController } from './mcp/mcp.controller.js';
import { LocalSessions } from './mcp/sessions.js';
import { SseLeg } from './mcp/sse-leg.js';
import { StatelessLeg } from './mcp/stateless-leg.js';
import { StreamLimit } from './mcp/stream-limit.js';
import { OpsController } from './ops/ops.controller.js';
import { ReadinessProbe } from './ops/readiness.js';
import { RestEndpoint } from './rest/rest-endpoint.js';
import { RestController } from './rest/rest.controller.js';

export interface GatewayParts {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the process has to end by itself when it stops. */
export interface GatewayRuntime {
  readonly readiness: ReadinessProbe;
  readonly sessions: LocalSessions;
  readonly stateless: StatelessLeg;
  readonly sse: SseLeg;
}

export const GATEWAY_RUNTIME = Symbol('GatewayRuntime');

/** Wires the gateway. It speaks to Cairn over NATS only: no database, no index, no domain rule is in reach. */
@Module({})
export class GatewayModule {
  static register({ nats, logger, metrics }: GatewayParts): DynamicModule {
    const requester = new Requester(nats);
    const cairn = new CairnClient(requester);
    const authenticator = new Authenticator(requester, systemClock);
    const dispatcher = new Dispatcher(cairn, logger, metrics);
    const createServer = () => legacyServer(dispatcher);
    const streams = new StreamLimit();
    const sessions = new LocalSessions(createServer, systemClock);
    const stateless = new StatelessLeg(dispatcher, logger);
    const sse = new SseLeg(createServer, streams);
    const legs = { initialize: new InitializeLeg(sessions, createServer), stateless, sse };
    const readiness = new ReadinessProbe(nats, requester);
    const runtime: GatewayRuntime = { readiness, sessions, stateless, sse };
    return {
      module: GatewayModule,
      controllers: [McpController, RestController, OpsController],
      providers: [
        { provide: Metrics, useValue: metrics },
        { provide: ReadinessProbe, useValue: readiness },
        { provide: McpEndpoint, useValue: new McpEndpoint(authenticator, dispatcher, legs, streams, logger) },
        { provide: RestEndpoint, useValue: new RestEndpoint(authenticator, cairn, logger) },
        { provide: GATEWAY_RUNTIME, useValue: runtime },
      ],
    };
  }
}
