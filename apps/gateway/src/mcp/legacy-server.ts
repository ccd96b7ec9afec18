import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { Principal } from '@cairn/contracts';
import { SERVER_INFO } from '../server-info.js';
import type { Dispatcher } from './dispatcher.js';
import { callerOf } from './mcp-exchange.js';
import { instructionsOf } from './offered-tools.js';

/** A server for one caller: its description of itself depends on the token. */
export type CreateServer = (principal: Principal) => Server;

/** Shared, because each server would otherwise compile its own for every session and every one-shot request. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/**
 * A server of the initialize era. Every method goes to the dispatcher through the fallback handler: the SDK's own
 * registration would check arguments and results a second time and replace our error codes with its own.
 */
export const legacyServer = (dispatcher: Dispatcher, principal: Principal): Server => {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    instructions: instructionsOf(principal),
    jsonSchemaValidator,
  });
  server.fallbackRequestHandler = (request, extra) =>
    dispatcher.handle(request.method, request.params, callerOf(extra.authInfo));
  return server;
};
