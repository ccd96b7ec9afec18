import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from '@cairn/contracts';
import { connectNats } from '@cairn/messaging';
import { nestLogger } from '@cairn/observability';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { closeGateway } from './close-gateway.js';
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
  /** Whether requests will be served. */
  check(): Promise<Readiness>;
  /** Answers every accepted request first. A repeated call waits for the first one. */
  close(): Promise<void>;
}

const urlOf = (host: string, server: Server): string => {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

export const createGateway = async (config: GatewayConfig): Promise<Gateway> => {
  const { logger, metrics, host, port, allowedOrigins, fetchUrls, clock } = config;
  const { connectorRoots = [], mcpLocalOrigins, compaction, isAlone, trustedProxies, servesOps, needs } = config;
  const nats = await connectNats(config.nats, 'gateway');
  const own: { address?: OwnAddress } = {};
  const module = GatewayModule.register({
    ...{ nats, logger, metrics, fetchUrls, connectorRoots, clock, mcpLocalOrigins, compaction },
    ...{ isAlone, trustedProxies, servesOps, needs },
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
  const runtime = app.get<GatewayRuntime>(GATEWAY_RUNTIME);
  const { readiness, parser, codes, externalServers } = runtime;
  const stop = async (): Promise<void> => {
    await closeGateway(runtime, connections, config.stopDelayMs ?? 0);
    await parser.close();
    await externalServers.close();
    await app.close();
    await nats.drain();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(host, server),
    mintSignInCode: async (token) => (await codes.mint(token)).code,
    check: () => readiness.check(),
    close: () => (stopped ??= stop()),
  };
};
