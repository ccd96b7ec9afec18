import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fail } from '@cairn/contracts';
import ipaddr from 'ipaddr.js';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** What the registries have handed out so far. Everything else has no owner, or embeds an IPv4 address. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether the open internet answers there. An unknown form counts as no. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST_V6);
};

/** As the system resolves it, hosts file included; the check comes after. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });

/** One answer for a name that does not exist and one that is inside: nobody learns here which names a network has. */
const notPublic = () =>
  fail('url.refused', 'url must lead to a public site; this one has no public address', { field: 'url' });

const answersOf = async (hostname: string, resolve: ResolveHost): Promise<readonly HostAddress[]> => {
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
 * The addresses of a host, asked for once. One that is not public refuses them all: a name with both kinds is either a
 * mistake or an attempt.
 */
export const publicAddresses = async (hostname: string, resolve: ResolveHost): Promise<readonly HostAddress[]> => {
  const found = await answersOf(hostname, resolve);
  if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address))) throw notPublic();
  return found;
};
