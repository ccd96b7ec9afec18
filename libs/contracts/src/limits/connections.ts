// Time limits for a peer, and its open streams.

/** Headers must be complete by this time; Node checks once a second. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The longest pause within a body; after its first minute, a body must have arrived at this average rate. */
export const BODY_IDLE_MS_MAX = 15_000;
export const BODY_GRACE_MS = 60_000;
export const PEER_BYTES_PER_SEC_MIN = 4_096;
/**
 * The time for a whole body from a sender without a token, and for the rest of a body after its request was answered.
 */
export const ANONYMOUS_BODY_MS_MAX = 10_000;
export const REFUSED_BODY_MS_MAX = 5_000;
/** Open streams of all kinds together; a stream whose reader leaves more than this unread is closed. */
export const STREAMS_PER_TOKEN_MAX = 5;
export const STREAM_UNREAD_BYTES_MAX = 4_194_304;
/** How long a gateway waits for another one that holds the stream of a message. One that has ended is known at once. */
export const REPLICA_ANSWER_MS_MAX = 3_000;
