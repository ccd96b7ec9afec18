import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectNats } from '@cairn/messaging';
import { nestLogger } from '@cairn/observability';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { GatewayConfig } from './config.js';
import { readConsoleFiles } from './console/console-files.js';
import { consoleFiles } from './console/console.middleware.js';
import { notFoundPage } from './console/not-found-page.js';
import type { OwnAddress } from './external/server-url.js';
import { GATEWAY_RUNTIME, GatewayModule, type GatewayRuntime } from './gateway.module.js';
import { answerClientErrors } from './http/client-error.js';
import { ConnectionDrain } from './http/connection-drain.js';
import { edge, sendRefusal } from './http/edge.middleware.js';
import { ErrorFilter } from './http/error.filter.js';
import { HostOriginGuard } from './http/host-origin.js';
import { listenProblem } from './http/listen-problem.js';
import { PeerDeadlines } from './http/peer-deadlines.js';
import { StrictExpressAdapter } from './http/strict-express.adapter.js';
import { isSignIn } from './rest/sign-in.controller.js';

export interface Gateway {
  /** The address it listens on, with the actual port. */
  readonly url: string;
  /** Creates a one-time code for the console that stands for this token. */
  mintSignInCode(token: string): Promise<string>;
  close(): Promise<void>;
}

/** How long requests in flight may take to finish before their connections are cut. */
const DRAIN_MS = 5_000;

const urlOf = (host: string, server: Server): string => {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

export const createGateway = async (config: GatewayConfig): Promise<Gateway> => {
  const { logger, metrics, host, port, allowedOrigins, fetchUrls, clock } = config;
  const { connectorRoots = [], mcpLocalOrigins, compaction } = config;
  const nats = await connectNats(config.natsUrl, 'gateway');
  const own: { address?: OwnAddress } = {};
  const module = GatewayModule.register({
    ...{ nats, logger, metrics, fetchUrls, connectorRoots, clock, mcpLocalOrigins, compaction },
    ownAddress: () => own.address,
  });
  const app = await NestFactory.create<NestExpressApplication>(module, new StrictExpressAdapter(), {
    bodyParser: false,
    logger: nestLogger(logger),
  });
  app.use(edge(new HostOriginGuard(host, allowedOrigins)));
  const files = readConsoleFiles(config.consoleDir);
  app.use(consoleFiles(files));
  app.useGlobalFilters(new ErrorFilter(logger, notFoundPage(files)));
  const server = app.getHttpServer();
  const connections = new ConnectionDrain(server);
  answerClientErrors(server);
  new PeerDeadlines(server, isSignIn, sendRefusal, config.peerLimits);
  await app.listen(port, host).catch((thrown: unknown) => {
    throw listenProblem(host, port, thrown);
  });
  own.address = { host, port: (server.address() as AddressInfo).port, origins: allowedOrigins };
  const { readiness, sessions, stateless, sse, events, watch, parser, codes, externalServers } =
    app.get<GatewayRuntime>(GATEWAY_RUNTIME);
  const close = async (): Promise<void> => {
    readiness.drain();
    watch.close();
    const closed = connections.close(DRAIN_MS);
    // Streams do not end by themselves; everything else is waited for.
    sessions.closeAll();
    events.closeAll();
    await sse.closeAll();
    await closed;
    await stateless.close();
    await parser.close();
    await externalServers.close();
    await app.close();
    await nats.drain();
  };
  return { url: urlOf(host, server), mintSignInCode: async (token) => (await codes.mint(token)).code, close };
};
