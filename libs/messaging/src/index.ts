/**
 * Services over NATS: the connection, the request client, and the only way to answer a request and to run a service.
 * Never uses streams or projections: those are in `@cairn/op-log`.
 */
export { askAll, type Question } from './ask-all.js';
export { publishAtomically, type PublishAck, type PublishedMessage } from './atomic-publish.js';
export { connectNats, type NatsConnection } from './connection.js';
export {
  commandEndpoints,
  queryEndpoints,
  type CommandHandler,
  type Endpoints,
  type QueryHandlers,
} from './endpoints.js';
export { eraseMessages, messagesOf, presentMessages } from './erase.js';
export { natsEnv } from './nats-env.js';
export { Requester, type RequestContext } from './requester.js';
export { Responder } from './responder.js';
export { respond, type FailureListener, type ParsedRequest } from './respond.js';
export { runService, serviceModule, startService, STOPPING, type RunningService } from './service.js';
