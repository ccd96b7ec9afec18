import { connect } from '@nats-io/transport-node';

export interface NatsLogin {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface NatsVarz {
  readonly version: string;
  readonly host: string;
  readonly max_payload: number;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean; readonly max_storage: number } };
}

const ANSWER_MS = 2_000;

/**
 * Reads a server's status through its system account. The HTTP monitoring port has no authentication, so it gives the same
 * answers to every user of the machine and to every web page they open.
 */
const ask = async <T>({ port, user, password }: NatsLogin, what: 'HEALTHZ' | 'VARZ'): Promise<T> => {
  const connection = await connect({ servers: `127.0.0.1:${port}`, user, pass: password, reconnect: false });
  try {
    const subject = `$SYS.REQ.SERVER.${connection.info!.server_id}.${what}`;
    const answer = await connection.request(subject, '', { timeout: ANSWER_MS });
    return answer.json<{ data: T }>().data;
  } finally {
    await connection.close();
  }
};

/** True when JetStream has recovered its streams and accepts requests; false while the server does not answer yet. */
export const isHealthy = (login: NatsLogin): Promise<boolean> =>
  ask<{ status: string }>(login, 'HEALTHZ').then(
    ({ status }) => status === 'ok',
    () => false,
  );

export const readVarz = (login: NatsLogin): Promise<NatsVarz> => ask<NatsVarz>(login, 'VARZ');
