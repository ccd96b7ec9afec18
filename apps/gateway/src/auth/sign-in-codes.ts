import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { fail, SIGN_IN_CODE_LIFE_MS, SIGN_INS_STREAM, signInSubject } from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import { publishAtomically, type NatsConnection } from '@cairn/messaging';
import { jetstreamManager } from '@nats-io/jetstream';

const CODE_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TIMEOUT_MS = 2_000;
const CIPHER = 'aes-256-gcm';
const USED = new Uint8Array();

export interface NewSignInCode {
  readonly code: string;
  readonly expiresAt: string;
}

interface Stored {
  readonly token: string;
  readonly expiresAtMs: number;
}

const digest = (purpose: string, code: string): Buffer => createHash('sha256').update(`${purpose}:${code}`).digest();

/** The broker learns neither the code nor the token: one hash of the code is the subject, another one the key. */
const subjectOf = (code: string): string => signInSubject(digest('sign-in name', code).toString('hex'));

const seal = (code: string, stored: Stored): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, digest('sign-in key', code), nonce);
  const sealed = [cipher.update(JSON.stringify(stored)), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
};

const unseal = (code: string, sealed: Buffer): Stored => {
  const decipher = createDecipheriv(CIPHER, digest('sign-in key', code), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)).toString() + decipher.final().toString();
  return JSON.parse(text) as Stored;
};

const unavailable = (thrown?: unknown) => fail('service.unavailable', 'the sign-in codes are unavailable', {}, thrown);

/**
 * One-time codes, each of which stands for a token for a few minutes. They live in the stream SIGN_INS, which ingest
 * creates, so any replica of the gateway can redeem a code, and only one does. A wrong guess does not use up a code.
 */
export class SignInCodes {
  constructor(
    private readonly nats: NatsConnection,
    private readonly clock: Clock = systemClock,
  ) {}

  async mint(token: string): Promise<NewSignInCode> {
    // Hex, because a terminal recognises all of it as part of the link.
    const code = randomBytes(CODE_BYTES).toString('hex');
    const expiresAtMs = this.clock.now() + SIGN_IN_CODE_LIFE_MS;
    if (!(await this.append(code, seal(code, { token, expiresAtMs }), 0))) throw unavailable();
    return { code, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** The token; undefined for a wrong, a used and an expired code alike. */
  async redeem(code: string): Promise<string | undefined> {
    const found = await this.read(code);
    if (!found || found.data.length === 0) return undefined;
    const { token, expiresAtMs } = unseal(code, Buffer.from(found.data));
    const isInTime = this.clock.now() < expiresAtMs;
    return isInTime && (await this.append(code, USED, found.seq)) ? token : undefined;
  }

  /** Read from the stream's leader: a replica of the stream may not have the code yet. */
  private async read(code: string) {
    const { streams } = await jetstreamManager(this.nats, { checkAPI: false });
    return streams.getMessage(SIGN_INS_STREAM, { last_by_subj: subjectOf(code) }).catch((thrown: unknown) => {
      throw unavailable(thrown);
    });
  }

  /** Returns whether this was the next message about the code; false if another replica was first. */
  private async append(code: string, body: Uint8Array, lastSeq: number): Promise<boolean> {
    const headers = { 'Nats-Expected-Last-Subject-Sequence': String(lastSeq) };
    const message = { subject: subjectOf(code), body, headers };
    const ack = await publishAtomically(this.nats, [message], TIMEOUT_MS).catch((thrown: unknown) => {
      throw unavailable(thrown);
    });
    if (!ack) throw unavailable();
    return ack.error === undefined;
  }
}
