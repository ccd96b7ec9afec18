/** `crypto.randomUUID` is missing on pages without TLS, except on localhost. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * One key per content. Content that is sent again after a lost answer keeps its key, so the server stores it once.
 * Changed content gets another key, because the server rejects it under a used one.
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
