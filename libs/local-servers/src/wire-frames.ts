/** Splits the byte stream of a Postgres client into units that must run without another client in between. */
export type WireUnit =
  | { readonly kind: 'encryption-request' }
  | { readonly kind: 'cancel-request' }
  | { readonly kind: 'startup'; readonly bytes: Buffer }
  | { readonly kind: 'terminate' }
  /** A client's message during sign-in, without its header. */
  | { readonly kind: 'sign-in'; readonly body: Buffer }
  /** Messages up to a Query, Sync or Flush. `isOpen`: ends with a Flush, so the client's exchange is not over. */
  | { readonly kind: 'messages'; readonly bytes: Buffer; readonly isOpen: boolean };

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const STARTUP_HEADER_BYTES = 8;
const MESSAGE_HEADER_BYTES = 5;
const [QUERY, SYNC, FLUSH, FUNCTION_CALL, TERMINATE, PASSWORD] = [...'QSHFXp'].map((type) => type.charCodeAt(0));

/** The time limit that a client sets for its statements in its startup packet, as node-postgres does; 0 means none. */
export const statementLimitMs = (startup: Buffer): number => {
  const parameters = startup.toString('utf8', STARTUP_HEADER_BYTES).split('\0');
  const at = parameters.findIndex((name, i) => i % 2 === 0 && name === 'statement_timeout');
  return at < 0 ? 0 : Number(parameters[at + 1]) || 0;
};

export class WireFrames {
  #chunks: Buffer[] = [];
  #length = 0;
  #isStarted = false;
  /** The end of the complete messages seen so far, so that a long batch is not scanned again with every packet. */
  #scanned = 0;
  /** Below this length the next message cannot be complete, so joining the packets would be wasted. */
  #needed = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The next complete unit, or undefined when more bytes must arrive first. */
  next(): WireUnit | undefined {
    if (this.#length === 0 || this.#length < this.#needed) return undefined;
    const bytes = this.#joined();
    return this.#isStarted ? this.#nextMessages(bytes) : this.#nextGreeting(bytes);
  }

  #nextGreeting(bytes: Buffer): WireUnit | undefined {
    if (bytes.length < STARTUP_HEADER_BYTES || bytes.length < bytes.readUInt32BE(0)) return undefined;
    const [length, code] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
    const unit = this.#take(bytes, Math.max(length, STARTUP_HEADER_BYTES));
    if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption-request' };
    if (code === CANCEL_REQUEST) return { kind: 'cancel-request' };
    this.#isStarted = true;
    return { kind: 'startup', bytes: unit };
  }

  #nextMessages(bytes: Buffer): WireUnit | undefined {
    while (bytes.length - this.#scanned >= MESSAGE_HEADER_BYTES) {
      const type = bytes[this.#scanned];
      const end = this.#scanned + 1 + bytes.readUInt32BE(this.#scanned + 1);
      if (end > bytes.length) {
        this.#needed = end;
        return undefined;
      }
      if (type === TERMINATE) return { kind: 'terminate' };
      if (type === PASSWORD) return { kind: 'sign-in', body: this.#take(bytes, end).subarray(MESSAGE_HEADER_BYTES) };
      this.#scanned = end;
      if (type === QUERY || type === SYNC || type === FUNCTION_CALL || type === FLUSH) {
        return { kind: 'messages', bytes: this.#take(bytes, end), isOpen: type === FLUSH };
      }
    }
    return undefined;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const joined = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(bytes: Buffer, length: number): Buffer {
    this.#chunks = length < bytes.length ? [bytes.subarray(length)] : [];
    this.#length = bytes.length - length;
    this.#scanned = 0;
    this.#needed = 0;
    return bytes.subarray(0, length);
  }
}
