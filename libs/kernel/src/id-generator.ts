import { systemClock, type Clock } from './clock.js';

export interface IdGenerator {
  /** A UUID, version 7: sortable by creation, safe to show, says nothing about content. */
  next(): string;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** RFC 9562, section 5.7: 48 bits of milliseconds, then random bits with the version and variant set. */
export const uuidV7 = (clock: Clock = systemClock): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let millis = clock.now();
  for (let i = 5; i >= 0; i--) {
    bytes[i] = millis % 256;
    millis = Math.floor(millis / 256);
  }
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const h = Array.from(bytes, (byte) => hex[byte]!).join('');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
};

export const systemIds: IdGenerator = { next: () => uuidV7() };
