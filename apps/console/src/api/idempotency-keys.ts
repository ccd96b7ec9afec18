/** `crypto.randomUUID` is missing on pages without TLS, other than those of localhost. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * One key per content that is sent. The same content sent again after a lost answer has the same key, so the server
 * stores it once; changed content has another key, because the server refuses it under a used one.
 */
export class IdempotencyKeys {
  private readonly keys = new Map<string, string>();

  keyFor(content: unknown): string {
    const name = JSON.stringify(content);
    const key = this.keys.get(name) ?? newKey();
    this.keys.set(name, key);
    return key;
  }
}
