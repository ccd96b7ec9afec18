/**
 * Services talking over NATS: the connection, the request client, the Nest transport and the one way to answer.
 * Refuses streams and projections: those are `@cairn/op-log`.
 */
export { publishAtomically, type PublishAck, type PublishedMessage } from './atomic-publish.js';
export { connectNats, type NatsConnection } from './connection.js';
export { eraseMessages, messagesOf, presentMessages } from './erase.js';
export { natsEnv } from './nats-env.js';
export { natsTransport } from './nats-transport.js';
export { Requester, type RequestContext } from './requester.js';
export { respond, type FailureListener, type ParsedRequest } from './respond.js';
