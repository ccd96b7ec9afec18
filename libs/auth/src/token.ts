import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface MintedToken {
  /** The whole credential: shown once, stored nowhere. */
  readonly token: string;
  /** SHA-256 of the secret part, hex. The secret has 256 random bits, so no slow hash is needed. */
  readonly secretHash: string;
}

export interface ParsedToken {
  readonly tokenId: string;
  readonly secretHash: string;
}

const SECRET_BYTES = 32;
/** The prefix is for secret scanners, the id for the lookup, the checksum for people who copy only half a token. */
const TOKEN_FORM = /^(cairn_[a-z]{1,16}_([0-9a-f]{32})_([A-Za-z0-9_-]{43}))([0-9a-f]{8})$/;
const ID_GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const mintToken = (tokenId: string, env = 'live'): MintedToken => {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const body = `cairn_${env}_${tokenId.replaceAll('-', '')}_${secret}`;
  return { token: `${body}${checksumOf(body)}`, secretHash: secretHashOf(secret) };
};

/** Undefined for any text that cannot be a Cairn token; typos are rejected here, without a lookup. */
export const parseToken = (text: string): ParsedToken | undefined => {
  const match = TOKEN_FORM.exec(text);
  if (!match) return undefined;
  const [, body = '', id = '', secret = '', checksum = ''] = match;
  if (!constantTimeEqual(checksumOf(body), checksum)) return undefined;
  return { tokenId: id.replace(ID_GROUPS, '$1-$2-$3-$4-$5'), secretHash: secretHashOf(secret) };
};

/** Takes the same time wherever the two texts differ; hashing makes their lengths equal. */
export const constantTimeEqual = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
