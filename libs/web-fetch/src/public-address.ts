import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { fail } from '@cairn/contracts';
import ipaddr from 'ipaddr.js';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** The ranges that the registries have allocated. Everything else has no owner, or embeds an IPv4 address. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is on the public internet. An unknown form is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST_V6);
};

/** Resolved by the system, including the hosts file; the check follows. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });

/** The same error for a name that does not exist and one inside a network, so that callers learn no internal names. */
export const notPublic = () =>
  fail('url.refused', 'url must lead to a public site; this one is unknown or has no public address', { field: 'url' });

/** Looked up once, and not checked: for origins that may be anywhere. */
export const addressesOf = async (hostname: string, resolve: ResolveHost): Promise<readonly HostAddress[]> => {
  if (isIP(hostname) !== 0) return [{ address: hostname, family: isIP(hostname) }];
  try {
    return await resolve(hostname);
  } catch (thrown) {
    const isUnknown = ['ENOTFOUND', 'ENODATA'].includes(String((thrown as NodeJS.ErrnoException).code));
    if (isUnknown) return [];
    throw fail('url.unreachable', 'the name of the site could not be looked up', { field: 'url' }, thrown);
  }
};

/**
 * The addresses of a host, looked up once. If one is not public, all are refused: a name with both kinds is either a
 * mistake or an attack.
 */
export const publicAddresses = async (hostname: string, resolve: ResolveHost): Promise<readonly HostAddress[]> => {
  const found = await addressesOf(hostname, resolve);
  if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address))) throw notPublic();
  return found;
};

/** Always returns the pinned addresses, so that no second lookup can return others (DNS rebinding). */
export const pinned =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first!.address, first!.family);
  };
