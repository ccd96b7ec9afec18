/**
 * Services over NATS: the connection, the request client, and the only way to answer a request and to run a service.
 * Never uses streams or projections: those are in `@cairn/op-log`.
 */
export { askAll, type Question } from './ask-all.js';
export { askOne, type DirectQuestion } from './ask-one.js';
export { publishAtomically, type PublishAck, type PublishedMessage } from './atomic-publish.js';
export { permissionsConf, permissionsOf, permissionsVariable, type BrokerPermissions } from './broker-permissions.js';
export { connectNats, type NatsConnection } from './connection.js';
export {
  commandEndpoints,
  queryEndpoints,
  type CommandHandler,
  type Endpoints,
  type QueryHandlers,
} from './endpoints.js';
export { eraseMessages, messagesOf, presentMessages } from './erase.js';
export { LivingIngests, watchIngests } from './living-ingests.js';
export { natsAccess, type NatsAccess } from './nats-access.js';
export { natsEnv, streamsEnv } from './nats-env.js';
export { WHEN_READY } from './nats-transport.js';
export { Requester, type RequestContext } from './requester.js';
export { Responder } from './responder.js';
export { respond, type FailureListener, type ParsedRequest } from './respond.js';
export { runService, serviceModule, startService, STOPPING, TAKE_ALL, type RunningService } from './service.js';
