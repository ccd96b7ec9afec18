import { ScramExchange, type ScramVerifier } from './scram.js';
import type { WireUnit } from './wire-frames.js';

type Startup = Extract<WireUnit, { kind: 'startup' }>;

export type LoginStep =
  | { readonly kind: 'reply'; readonly bytes: Buffer }
  /** The client knows the password: it gets these bytes, and its startup packet may run. */
  | { readonly kind: 'welcome'; readonly bytes: Buffer; readonly startup: Startup }
  | { readonly kind: 'refusal'; readonly bytes: Buffer };

const MECHANISM = 'SCRAM-SHA-256';
/** Codes of the message "Authentication…" of the Postgres protocol. */
const [SASL, SASL_CONTINUE, SASL_FINAL] = [10, 11, 12];

const message = (type: string, body: Buffer): Buffer => {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
};

const authentication = (code: number, text: string): Buffer => {
  const body = Buffer.alloc(4);
  body.writeUInt32BE(code, 0);
  return message('R', Buffer.concat([body, Buffer.from(text)]));
};

const refusal = (code: string, text: string): LoginStep => {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${text}`, ''];
  return { kind: 'refusal', bytes: message('E', Buffer.from(`${fields.join('\0')}\0`)) };
};

const WRONG_PASSWORD = refusal('28P01', 'password authentication failed');
const NOT_SIGNED_IN = refusal('08P01', 'a client signs in before it sends anything else');

/** A mechanism's name, a length and the first message. */
const firstMessage = (body: Buffer): string | undefined => {
  const end = body.indexOf(0);
  if (end < 0 || body.toString('utf8', 0, end) !== MECHANISM) return undefined;
  return body.toString('utf8', end + 5);
};

/** Passes nothing from a client on to the database before it has proven that it knows the password of this start. */
export class WireLogin {
  readonly #exchange: ScramExchange;
  #startup: Startup | undefined;
  #isChallenged = false;

  constructor(verifier: ScramVerifier) {
    this.#exchange = new ScramExchange(verifier);
  }

  next(unit: WireUnit): LoginStep {
    if (unit.kind === 'startup') {
      this.#startup = unit;
      return { kind: 'reply', bytes: authentication(SASL, `${MECHANISM}\0\0`) };
    }
    if (unit.kind !== 'sign-in' || !this.#startup) return NOT_SIGNED_IN;
    return this.#isChallenged ? this.#finish(unit.body, this.#startup) : this.#challenge(unit.body);
  }

  #challenge(body: Buffer): LoginStep {
    this.#isChallenged = true;
    const challenge = this.#exchange.challenge(firstMessage(body) ?? '');
    if (challenge === undefined) return WRONG_PASSWORD;
    return { kind: 'reply', bytes: authentication(SASL_CONTINUE, challenge) };
  }

  #finish(body: Buffer, startup: Startup): LoginStep {
    const proof = this.#exchange.finish(body.toString('utf8'));
    if (proof === undefined) return WRONG_PASSWORD;
    return { kind: 'welcome', bytes: authentication(SASL_FINAL, proof), startup };
  }
}
