import { SESSION_ENDED_SUBJECT } from '@cairn/contracts';
import { askAll, type NatsConnection } from '@cairn/messaging';
import { Sessions } from './sessions.js';

/** The end of a session waits for every gateway: for the slowest at most this long, and this long after the latest. */
const ANSWER_MS_MAX = 1_000;
const QUIET_MS = 25;

/** Sessions whose end is known to all gateways of a broker. */
export const sharedSessions = (nats: NatsConnection): Sessions => {
  const sessions = new Sessions((message) =>
    askAll(nats, { subject: SESSION_ENDED_SUBJECT, message, waitMs: ANSWER_MS_MAX, quietMs: QUIET_MS }),
  );
  nats.subscribe(SESSION_ENDED_SUBJECT, {
    callback: (error, message) => {
      if (error) return;
      sessions.ending(message.string());
      message.respond();
    },
  });
  return sessions;
};
