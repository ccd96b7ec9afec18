/**
 * The gateway: MCP in both eras, REST, the console's files, health. It authenticates callers, speaks their protocol,
 * and passes commands and queries on over NATS. Refuses databases, indexes and domain rules.
 */
export { gatewayEnv, gatewaySettings, type GatewayConfig } from './config.js';
export { CONSOLE_DIR } from './console/console-files.js';
export { createGateway, type Gateway } from './create-gateway.js';
export { GatewayModule, type GatewayParts } from './gateway.module.js';
export { isLoopback } from './http/host-origin.js';
export { listenProblem } from './http/listen-problem.js';
