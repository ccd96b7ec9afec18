/**
 * Clients of external MCP servers: pooled connections in both eras and over HTTP+SSE, to addresses that are checked and
 * pinned; the sanitising of the tools and answers of such a server (ADR 0100). Never uses NATS or a database, declares
 * no capability to a server, passes on nothing of a caller except the arguments of a call, and puts no text of a server
 * into an error.
 */
export type { ExternalEra } from './connection.js';
export type { ExternalTool } from './definition.js';
export { ExternalServers, fingerprintOf, type Discovery, type ExternalServersOptions } from './external-servers.js';
export { listedName, NAME_SEPARATOR } from './listed-name.js';
export type { ExternalResult } from './result.js';
