import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** A home or an office gets a whole /64 of IPv6, so one client can use any of its addresses. */
const IPV6_CLIENT_PREFIX = 64;
const IPV6_GROUPS = 8;
const BITS_PER_GROUP = 16;

/** An IPv4 address in the form that a dual-stack socket reports. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Some proxies add the port of the client: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/;

/** The address without port, zone and mapping; undefined if the text is not an address. */
const plainAddress = (text: string): string | undefined => {
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%', 1);
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return isIP(plain) === 0 ? undefined : plain;
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

export interface Network {
  readonly address: string;
  /** The leading bits that all addresses of the network share. */
  readonly prefix: number;
}

/** An address, or a network such as 10.0.0.0/8; undefined if the text is neither. */
export const parseNetwork = (text: string): Network | undefined => {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  const prefix = bits === undefined ? longest : Number(bits);
  return longest < 0 || prefix > longest ? undefined : { address, prefix };
};

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

/** All eight groups of an IPv6 address as numbers. */
const groups = (address: string): number[] => {
  // The URL parser writes every form of an address in the same way, without IPv4 notation inside.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? 0 : IPV6_GROUPS - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) => parseInt(group, 16));
};

/** What a client is counted by: its IPv4 address, or the network of its IPv6 address. */
export const clientKey = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const own = groups(address).slice(0, IPV6_CLIENT_PREFIX / BITS_PER_GROUP);
  return `${own.map((group) => group.toString(16)).join(':')}::/${IPV6_CLIENT_PREFIX}`;
};

/**
 * Finds the address of a client behind trusted proxies. Each proxy appends the address that it was called from, so the
 * header is read from its end, and only as far as the writers are trusted: whatever a client puts there itself is never
 * reached.
 */
export class ClientAddresses {
  private readonly trusted = new BlockList();

  constructor(networks: readonly Network[] = []) {
    for (const { address, prefix } of networks) this.trusted.addSubnet(address, prefix, familyOf(address));
  }

  /** A stable key for limits per client. */
  keyOf({
    socket,
    headers,
  }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }): string {
    const forwarded = headers['x-forwarded-for'] ?? [];
    const hops = (typeof forwarded === 'string' ? [forwarded] : forwarded).join(',').split(',').reverse();
    let address = plainAddress(socket.remoteAddress ?? '');
    for (const hop of hops) {
      const next = plainAddress(hop.trim());
      if (address === undefined || next === undefined || !this.trusted.check(address, familyOf(address))) break;
      address = next;
    }
    return clientKey(address ?? '');
  }
}
