import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The minimum of RFC 7677. More would only slow down connecting: the password is random, not a word. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;
const NONCE_BYTES = 18;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, i) => byte ^ b[i]!));

/** Verifies a password without storing it: neither of the two keys lets its owner sign in. */
export class ScramVerifier {
  readonly salt = randomBytes(SALT_BYTES);
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;

  constructor(password: string) {
    const salted = pbkdf2Sync(password, this.salt, ITERATIONS, 32, 'sha256');
    this.storedKey = sha256(hmac(salted, 'Client Key'));
    this.serverKey = hmac(salted, 'Server Key');
  }
}

/** The server's side of SCRAM-SHA-256 (RFC 5802) for one client: each side proves that it knows the password without sending it. */
export class ScramExchange {
  #clientFirst = '';
  #header = '';
  #serverFirst = '';

  constructor(
    private readonly verifier: ScramVerifier,
    private readonly serverNonce = randomBytes(NONCE_BYTES).toString('base64'),
  ) {}

  /** The challenge; undefined for a malformed message. */
  challenge(message: string): string | undefined {
    const [, header, bare, nonce] = /^([ny],[^,]*,)(n=[^,]*,r=([^,]+).*)$/.exec(message) ?? [];
    if (header === undefined || bare === undefined) return undefined;
    this.#header = header;
    this.#clientFirst = bare;
    const salt = this.verifier.salt.toString('base64');
    this.#serverFirst = `r=${nonce}${this.serverNonce},s=${salt},i=${ITERATIONS}`;
    return this.#serverFirst;
  }

  /** The server's own proof; undefined for a wrong password. */
  finish(message: string): string | undefined {
    const [, unproven, binding, nonce, proof] = /^(c=([^,]*),r=([^,]*)),p=([^,]*)$/.exec(message) ?? [];
    if (unproven === undefined || proof === undefined) return undefined;
    if (binding !== Buffer.from(this.#header).toString('base64')) return undefined;
    if (!this.#serverFirst.startsWith(`r=${nonce},`)) return undefined;
    const exchange = `${this.#clientFirst},${this.#serverFirst},${unproven}`;
    if (!this.#isProof(Buffer.from(proof, 'base64'), exchange)) return undefined;
    return `v=${hmac(this.verifier.serverKey, exchange).toString('base64')}`;
  }

  #isProof(proof: Buffer, exchange: string): boolean {
    const { storedKey } = this.verifier;
    if (proof.length !== storedKey.length) return false;
    return timingSafeEqual(sha256(xor(proof, hmac(storedKey, exchange))), storedKey);
  }
}
