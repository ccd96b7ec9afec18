import { isIP } from 'node:net';
import { fail, SOURCE_URI_CHARS_MAX } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { isPublicAddress, notPublic } from './public-address.js';

/** Names that are reserved for non-public use; a lookup would only reveal them to the resolver. */
const INSIDE_NAMES = ['localhost', 'local', 'internal', 'home.arpa', 'lan', 'onion', 'test', 'invalid'];

const refused = (message: string, limit?: number): AppError =>
  fail('url.refused', message, { field: 'url', ...(limit === undefined ? {} : { limit }) });

/** The name or the address as a socket expects it: without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

export const isInside = (hostname: string): boolean =>
  !/^[^.]+(\.[^.]+)+$/.test(hostname) ||
  INSIDE_NAMES.some((name) => hostname === name || hostname.endsWith(`.${name}`));

/**
 * The address as it is fetched and stored: https on its standard port, a name that may be public, no credentials, no
 * fragment. The URL parser normalises all spellings of a literal address (decimal, octal, hex, short, full-width).
 */
export const publicUrl = (given: string): URL => {
  if (!URL.canParse(given)) throw refused('url must be a complete address such as https://example.com/page');
  const url = new URL(given);
  if (url.protocol !== 'https:') throw refused('url must start with https://');
  if (url.username !== '' || url.password !== '') throw refused('url must not contain a user name or a password');
  if (url.port !== '') throw refused('url must not name a port: only the standard port of https is fetched');
  url.hostname = url.hostname.replace(/\.$/, '');
  url.hash = '';
  const host = hostOf(url);
  if (isIP(host) === 0 && isInside(host)) throw refused('url must lead to a public site');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic();
  if (url.href.length > SOURCE_URI_CHARS_MAX) {
    throw refused(`url must have at most ${SOURCE_URI_CHARS_MAX} characters when encoded`, SOURCE_URI_CHARS_MAX);
  }
  return url;
};
