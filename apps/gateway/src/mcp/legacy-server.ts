import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { SERVER_INFO, SERVER_INSTRUCTIONS } from '../server-info.js';
import type { Dispatcher } from './dispatcher.js';
import { callerOf } from './mcp-exchange.js';

/** Shared: a server of its own would compile one for every session and every one-shot request. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/**
 * A server of the initialize era. Every method goes to the dispatcher through the fallback handler: the SDK's own
 * registration would check arguments and results a second time, and turn our error codes into its own.
 */
export const legacyServer = (dispatcher: Dispatcher): Server => {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    instructions: SERVER_INSTRUCTIONS,
    jsonSchemaValidator,
  });
  server.fallbackRequestHandler = (request, extra) =>
    dispatcher.handle(request.method, request.params, callerOf(extra.authInfo));
  return server;
};
