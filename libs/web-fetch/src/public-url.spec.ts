import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@cairn/kernel';
import { fetchPublic } from './fetch-public.js';
import { publicUrl } from './public-url.js';

const mustNotBeAsked = (): never => {
  throw new Error('a resolver or a site was asked');
};

const refusal = async (url: string): Promise<AppError> =>
  fetchPublic(url, { resolve: mustNotBeAsked, connect: mustNotBeAsked }).then(
    () => Promise.reject(new Error('it was not refused')),
    (thrown: AppError) => thrown,
  );

const HOSTILE: readonly [string, string][] = [
  ['an empty text', ''],
  ['no url', 'not a url'],
  ['a path', '/etc/passwd'],
  ['no scheme', 'example.com/page'],
  ['a relative scheme', '//example.com/'],
  ['http', 'http://example.com/'],
  ['ftp', 'ftp://example.com/'],
  ['file', 'file:///etc/passwd'],
  ['gopher', 'gopher://example.com:70/_x'],
  ['data', 'data:text/plain,hello'],
  ['javascript', 'javascript:alert(1)'],
  ['blob', 'blob:https://example.com/1'],
  ['a web socket', 'wss://example.com/'],
  ['a user name', 'https://user@example.com/'],
  ['a user name and a password', 'https://user:secret@example.com/'],
  ['a password alone', 'https://:secret@example.com/'],
  ['a public name as the user name', 'https://example.com@127.0.0.1/'],
  ['another port', 'https://example.com:8443/'],
  ['the port of ssh', 'https://example.com:22/'],
  ['port 0', 'https://example.com:0/'],
  ['the port of http', 'https://example.com:80/'],
  ['a port out of range', 'https://example.com:70000/'],
  ['loopback', 'https://127.0.0.1/'],
  ['loopback with a dot', 'https://127.0.0.1./'],
  ['loopback, short', 'https://127.1/'],
  ['loopback, decimal', 'https://2130706433/'],
  ['loopback, octal', 'https://0177.0.0.1/'],
  ['loopback, octal in one', 'https://017700000001/'],
  ['loopback, hex', 'https://0x7f000001/'],
  ['loopback, hex in parts', 'https://0x7f.0x0.0x0.0x1/'],
  ['loopback, mixed', 'https://0x7f.1/'],
  ['loopback, percent-encoded', 'https://%31%32%37.0.0.1/'],
  ['loopback, full-width', 'https://１２７.0.0.1/'],
  ['loopback, encircled', 'https://①②⑦.0.0.1/'],
  ['loopback, ideographic full stops', 'https://127。0。0。1/'],
  ['zero', 'https://0/'],
  ['all zero', 'https://0.0.0.0/'],
  ['the metadata service', 'https://169.254.169.254/latest/meta-data/'],
  ['the metadata service, decimal', 'https://2852039166/'],
  ['the metadata service, hex', 'https://0xa9fea9fe/'],
  ['a private address', 'https://10.0.0.1/'],
  ['a private address, short', 'https://10.1/'],
  ['a private address of the second block', 'https://172.16.5.4/'],
  ['a private address of the third block', 'https://192.168.1.1/'],
  ['carrier-grade NAT', 'https://100.64.0.1/'],
  ['multicast', 'https://224.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['an address out of range', 'https://256.1.1.1/'],
  ['IPv6 loopback', 'https://[::1]/'],
  ['IPv6 loopback, written out', 'https://[0:0:0:0:0:0:0:1]/'],
  ['IPv6 unspecified', 'https://[::]/'],
  ['IPv4-mapped loopback', 'https://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped, in hex', 'https://[::ffff:a9fe:a9fe]/'],
  ['IPv4-compatible', 'https://[::127.0.0.1]/'],
  ['NAT64', 'https://[64:ff9b::169.254.169.254]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001::1]/'],
  ['unique local', 'https://[fd00:ec2::254]/'],
  ['link-local', 'https://[fe80::1]/'],
  ['link-local with a zone', 'https://[fe80::1%25eth0]/'],
  ['localhost', 'https://localhost/'],
  ['localhost with a dot', 'https://localhost./'],
  ['localhost in capitals', 'https://LOCALHOST/'],
  ['localhost, encircled', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/'],
  ['a name below localhost', 'https://api.localhost/'],
  ['a name of the house', 'https://printer.local/'],
  ['a name of a cloud', 'https://metadata.google.internal/'],
  ['a name of a cluster', 'https://kubernetes.default.svc.cluster.local/'],
  ['a name of the router', 'https://fritz.lan/'],
  ['a home network', 'https://nas.home.arpa/'],
  ['a name without a dot', 'https://intranet/'],
  ['an onion', 'https://something.onion/'],
  ['an empty label', 'https://example..com/'],
  ['dots only', 'https://../'],
  ['a dot in front', 'https://.example.com/'],
  ['2001 characters', `https://example.com/${'x'.repeat(1_981)}`],
  ['2000 characters that grow when encoded', `https://example.com/${'ü'.repeat(1_980)}`],
];

describe('a url', () => {
  it('has a table of at least 60 hostile forms', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
  });

  it.each(HOSTILE)('with %s is refused before any lookup', async (_, url) => {
    const error = await refusal(url);
    expect(error).toMatchObject({ code: 'url.refused', kind: 'invalid', details: { field: 'url' } });
    expect(error.message).not.toMatch(/secret|127|169\.254|passwd/);
  });

  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM/a', 'https://example.com/a'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['https://example.com./a?q=1#part', 'https://example.com/a?q=1'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://bücher.example.com/ä', 'https://xn--bcher-kva.example.com/%C3%A4'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    [`https://example.com/${'x'.repeat(1_980)}`, `https://example.com/${'x'.repeat(1_980)}`],
  ])('%s is normalised', (given, kept) => {
    expect(publicUrl(given).href).toBe(kept);
  });
});
