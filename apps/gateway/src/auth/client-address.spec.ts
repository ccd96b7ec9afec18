import { describe, expect, it } from '@jest/globals';
import { ClientAddresses, clientKey, parseNetwork } from './client-address.js';

const behind = (...proxies: string[]) => {
  const addresses = new ClientAddresses(proxies.map((proxy) => parseNetwork(proxy)!));
  return (remoteAddress: string | undefined, forwarded?: string) =>
    addresses.keyOf({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
};

describe('ClientAddresses', () => {
  it.each([
    ['no proxy is trusted', [], '203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['the peer is not a trusted proxy', ['10.0.0.0/8'], '203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['the peer is a trusted proxy', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['the client adds an address of its own', ['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['the client claims to be a proxy', ['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 10.9.9.9, 198.51.100.7', '198.51.100.7'],
    [
      'there are two trusted proxies',
      ['10.0.0.0/8', '192.0.2.1'],
      '10.1.2.3',
      '198.51.100.7, 192.0.2.1',
      '198.51.100.7',
    ],
    ['the second proxy is not trusted', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
    ['a hop is not an address', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.7, unknown', '10.1.2.3'],
    ['the header is empty', ['10.0.0.0/8'], '10.1.2.3', '', '10.1.2.3'],
    ['every hop is trusted', ['10.0.0.0/8'], '10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['the socket is dual-stack', ['10.0.0.0/8'], '::ffff:10.1.2.3', '::ffff:198.51.100.7', '198.51.100.7'],
    ['the proxy adds a port', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.7:50123', '198.51.100.7'],
    ['the proxy adds a port to IPv6', ['10.0.0.0/8'], '10.1.2.3', '[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    ['the proxy has an IPv6 address', ['fd00::/8'], 'fd12::1', '198.51.100.7', '198.51.100.7'],
    ['the proxy has a link-local address', ['fe80::/10'], 'fe80::1%eth0', '198.51.100.7', '198.51.100.7'],
  ])('finds the client when %s', (_, proxies, remote, forwarded, expected) => {
    expect(behind(...proxies)(remote, forwarded)).toBe(expected);
  });

  it('counts a peer without an address as one client', () => {
    expect(behind('10.0.0.0/8')(undefined, '198.51.100.7')).toBe('');
  });
});

describe('clientKey', () => {
  it('is the same for every address of an IPv6 /64, in every form', () => {
    const key = '2001:db8:1:2::/64';
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::1', '2001:db8:1:2:1:2:3:4', '2001:0db8:1:2::1.2.3.4'])
      expect(clientKey(address)).toBe(key);
    expect(clientKey('2001:db8:1:3::1')).not.toBe(key);
    expect(clientKey('::1')).toBe('0:0:0:0::/64');
  });
});

describe('parseNetwork', () => {
  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'proxy.example.com',
    '10.0.0.1/',
    '10.0.0.0/8/8',
    '10.0.0.1:80',
    '',
  ])('rejects %p', (text) => expect(parseNetwork(text)).toBeUndefined());

  it('takes a single address as a network of one', () => {
    expect(parseNetwork('192.0.2.1')).toEqual({ address: '192.0.2.1', prefix: 32 });
    expect(parseNetwork('2001:db8::1')).toEqual({ address: '2001:db8::1', prefix: 128 });
  });
});
