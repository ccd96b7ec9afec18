import { systemClock, type Clock } from './clock.js';

export interface IdGenerator {
  /** A UUID, version 7: sortable by creation, safe to show, reveals nothing about the content. */
  next(): string;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const ID_BYTES = 16;
/** Drawn for many ids at once: a system call for each id would cost more than three times as much as the id itself. */
const random = new Uint8Array(ID_BYTES * 256);
let used = random.length;

const randomId = (): Uint8Array => {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.subarray(used - ID_BYTES, used);
};

const hexOf = (bytes: Uint8Array, from: number, to: number): string => {
  let text = '';
  for (let i = from; i < to; i++) text += hex[bytes[i]!]!;
  return text;
};

/** RFC 9562, section 5.7: 48 bits of milliseconds, then random bits with the version and variant set. */
export const uuidV7 = (clock: Clock = systemClock): string => {
  const bytes = randomId();
  let millis = clock.now();
  for (let i = 5; i >= 0; i--) {
    bytes[i] = millis % 256;
    millis = Math.floor(millis / 256);
  }
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const cuts = [0, 4, 6, 8, 10, ID_BYTES];
  return cuts
    .slice(1)
    .map((end, i) => hexOf(bytes, cuts[i]!, end))
    .join('-');
};

/** RFC 9562, section 5.8: an id derived from a hash, given as hex digits. The same input always gives the same id. */
export const uuidV8 = (hash: string): string =>
  `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;

export const systemIds: IdGenerator = { next: () => uuidV7() };
