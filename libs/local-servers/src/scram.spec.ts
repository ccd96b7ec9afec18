import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { ScramExchange, ScramVerifier } from './scram.js';

interface Session {
  readonly response: string;
}

/** The client's side, as the Postgres driver implements it. */
const sasl = createRequire(import.meta.url)('pg/lib/crypto/sasl') as {
  startSession(mechanisms: readonly string[]): Session;
  continueSession(session: Session, password: string, challenge: string): Promise<void>;
  finalizeSession(session: Session, proof: string): void;
};

const verifier = new ScramVerifier('secret');

/** Throws where the driver does not accept the server. */
const signIn = async (password: string, exchange = new ScramExchange(verifier)): Promise<boolean> => {
  const session = sasl.startSession(['SCRAM-SHA-256']);
  await sasl.continueSession(session, password, exchange.challenge(session.response)!);
  const proof = exchange.finish(session.response);
  if (proof !== undefined) sasl.finalizeSession(session, proof);
  return proof !== undefined;
};

describe('SCRAM-SHA-256', () => {
  it('accepts the password, and the driver accepts the server', async () => {
    expect(await signIn('secret')).toBe(true);
  });

  it.each(['guess', 'Secret', 'secret '])('refuses the password %j', async (password) => {
    await expect(signIn(password)).resolves.toBe(false);
  });

  it('is refused by the driver when the server does not know the password', async () => {
    const impostor = new ScramExchange(new ScramVerifier('guess'));
    impostor.finish = () => `v=${Buffer.alloc(32).toString('base64')}`;
    await expect(signIn('secret', impostor)).rejects.toThrow('signature');
  });

  it('refuses the answer to another challenge', async () => {
    const session = sasl.startSession(['SCRAM-SHA-256']);
    await sasl.continueSession(session, 'secret', new ScramExchange(verifier).challenge(session.response)!);
    const other = new ScramExchange(verifier);
    other.challenge('n,,n=*,r=another');
    expect(other.finish(session.response)).toBeUndefined();
  });

  it.each(['', 'n,,', 'p=tls-unique,,n=*,r=x', 'n,,n=*', '\0'])('does not challenge for %j', (message) => {
    expect(new ScramExchange(verifier).challenge(message)).toBeUndefined();
  });

  it.each(['', 'c=biws', 'c=biws,r=,p=', 'c=biws,r=x,p=AAAA'])('does not finish for %j', (message) => {
    const exchange = new ScramExchange(verifier);
    exchange.challenge('n,,n=*,r=x');
    expect(exchange.finish(message)).toBeUndefined();
    expect(new ScramExchange(verifier).finish(message)).toBeUndefined();
  });
});
