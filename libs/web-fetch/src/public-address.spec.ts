import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@cairn/kernel';
import { fetchPublic } from './fetch-public.js';
import { isPublicAddress } from './public-address.js';

/** Address and kind: none of these may ever be connected to. */
const NOT_PUBLIC: readonly [string, string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'the metadata service of clouds'],
  ['169.254.170.2', 'the credentials of containers'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.0.192', 'a metadata service'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', 'a 6to4 relay'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.19.255.255', 'benchmarks'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'loopback, as an IPv4-compatible address'],
  ['::ffff:127.0.0.1', 'loopback, IPv4-mapped'],
  ['::ffff:a9fe:a9fe', 'the metadata service, IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped, even if public'],
  ['::ffff:0:10.0.0.1', 'private, IPv4-translated'],
  ['64:ff9b::a9fe:a9fe', 'the metadata service through NAT64'],
  ['64:ff9b::808:808', 'NAT64, even if public'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:0:7f00:1::', 'Teredo'],
  ['2001:2::1', 'benchmarks'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['2002:7f00:1::', 'loopback through 6to4'],
  ['2002:a9fe:a9fe::1', 'the metadata service through 6to4'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'the metadata service of a cloud'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['ff0e::1', 'multicast'],
  ['4000::1', 'not handed out'],
  ['1::1', 'not handed out'],
  ['', 'no address'],
  ['example.com', 'no address'],
  ['0x7f.1', 'no address in its one form'],
];

const refusal = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (thrown: AppError) => thrown,
  );

const mustNotConnect = (): never => {
  throw new Error('a connection was opened');
};

describe('an address', () => {
  it.each(NOT_PUBLIC)('%s is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('a name that resolves to an address that is not public', () => {
  const resolvable = NOT_PUBLIC.filter(([address]) => address.includes('.') || address.includes(':'));

  it.each(resolvable)('%s is refused, before any connection', async (address) => {
    const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
    const error = await refusal(fetchPublic('https://docs.example.com/', { resolve, connect: mustNotConnect }));
    expect(error).toMatchObject({ code: 'url.refused', kind: 'invalid', details: { field: 'url' } });
    expect(error.message).not.toContain(address);
  });

  it('is refused when only one of its addresses is not public', async () => {
    const resolve = () =>
      Promise.resolve([
        { address: '93.184.215.14', family: 4 },
        { address: 'fd00::1', family: 6 },
      ]);
    const error = await refusal(fetchPublic('https://docs.example.com/', { resolve, connect: mustNotConnect }));
    expect(error.code).toBe('url.refused');
  });

  it('is refused like a name that does not exist, so that callers cannot list the names of a network', async () => {
    const inside = () => Promise.resolve([{ address: '10.0.0.7', family: 4 }]);
    const unknown = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    const nothing = () => Promise.resolve([]);
    const answers = await Promise.all(
      [inside, unknown, nothing].map(async (resolve) => {
        const { code, message } = await refusal(fetchPublic('https://wiki.example.com/', { resolve }));
        return { code, message };
      }),
    );
    expect(answers[0]!.message).toContain('is unknown or has no public address');
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('can be retried when the resolver itself failed', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo 10.0.0.53'), { code: 'EAI_AGAIN' }));
    const error = await refusal(fetchPublic('https://docs.example.com/', { resolve }));
    expect(error).toMatchObject({ code: 'url.unreachable', kind: 'unavailable' });
    expect(error.message).not.toContain('10.0.0.53');
  });
});
