import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FETCH_BYTES_MAX } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { testCertificate } from '@cairn/testing';
import { fetchPublic, type FetchOptions } from './fetch-public.js';
import { SITE_ADDRESS, SITE_NAME, startTestSite, type TestSite } from './test-site.harness.js';

const URL_GIVEN = `https://${SITE_NAME}/page`;
/** Content of the site, which no error may repeat. */
const REMOTE_WORDS = 'remote-words-4711';
/** Long enough for a busy machine, short enough for a test that waits until it has passed. */
const SHORT_MS = 300;

const opened: (() => Promise<void>)[] = [];

const siteWith = async (handler: RequestListener, more: FetchOptions = {}): Promise<TestSite> => {
  const site = await startTestSite(handler, more);
  opened.push(() => site.close());
  return site;
};

const page =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  };

const refusal = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (thrown: AppError) => thrown,
  );

/** Fetches and expects a failure that contains nothing from the remote site. */
const failure = async (site: TestSite, more: FetchOptions = {}, url = URL_GIVEN): Promise<AppError> => {
  const error = await refusal(fetchPublic(url, { ...site.options, ...more }));
  const { port } = site.server.address() as AddressInfo;
  const shown = `${error.message} ${JSON.stringify(error.details)}`;
  for (const secret of [REMOTE_WORDS, '127.0.0.1', SITE_ADDRESS.address, String(port)]) {
    expect(shown).not.toContain(secret);
  }
  return error;
};

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

describe('a public page', () => {
  it('is fetched from the checked address, with the host name and no data about the client', async () => {
    const seen: IncomingMessage[] = [];
    const site = await siteWith((request, response) => {
      seen.push(request);
      page('hello', { 'content-type': 'Text/HTML; Charset="ISO-8859-1"', 'set-cookie': 'id=1' })(request, response);
    });
    const fetched = await fetchPublic(`${URL_GIVEN}?q=1#part`, site.options);
    expect({ ...fetched, bytes: Buffer.from(fetched.bytes).toString() }).toEqual({
      url: `${URL_GIVEN}?q=1`,
      mediaType: 'text/html',
      charset: 'iso-8859-1',
      bytes: 'hello',
    });
    expect(seen[0]?.url).toBe('/page?q=1');
    expect(seen[0]?.socket).toHaveProperty('servername', SITE_NAME);
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(seen[0]?.headers.host).toBe(SITE_NAME);
    expect(site.dialled).toEqual([[SITE_ADDRESS.address]]);
  });

  it('can be named by its address, without a lookup', async () => {
    const site = await siteWith(page('by number'));
    const { bytes } = await fetchPublic(`https://${SITE_ADDRESS.address}/`, site.options);
    expect(Buffer.from(bytes).toString()).toBe('by number');
    expect(site.lookedUp).toEqual([]);
  });

  it('is fetched directly, even if the environment names a proxy', async () => {
    const site = await siteWith(page('direct'));
    const before = process.env['HTTPS_PROXY'];
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:1';
    try {
      expect((await fetchPublic(URL_GIVEN, site.options)).bytes).toHaveLength(6);
    } finally {
      if (before === undefined) delete process.env['HTTPS_PROXY'];
      else process.env['HTTPS_PROXY'] = before;
    }
  });

  it('is looked up once, so a resolver that changes its answer has no effect (rebinding)', async () => {
    const answers = [SITE_ADDRESS, { address: '127.0.0.1', family: 4 }];
    let asked = 0;
    const resolve = () => Promise.resolve([answers[Math.min(asked++, 1)]!]);
    const site = await siteWith((request, response) =>
      request.url === '/page'
        ? page('', { location: '/next' }, 302)(request, response)
        : page('there')(request, response),
    );
    const { bytes } = await fetchPublic(URL_GIVEN, { ...site.options, resolve });
    expect(Buffer.from(bytes).toString()).toBe('there');
    expect(asked).toBe(1);
    expect(site.dialled).toEqual([[SITE_ADDRESS.address], [SITE_ADDRESS.address]]);
  });
});

describe('a redirect', () => {
  /** /page redirects `count` times to a text. */
  const steps =
    (count: number): RequestListener =>
    (request, response) => {
      const step = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
      if (step === count) page('arrived')(request, response);
      else page(REMOTE_WORDS, { location: `/step${step + 1}`, 'set-cookie': 'id=1' }, 302)(request, response);
    };

  it('is followed three times on the same site, and the requested url is kept', async () => {
    const cookies: unknown[] = [];
    const site = await siteWith((request, response) => {
      cookies.push(request.headers.cookie);
      steps(3)(request, response);
    });
    const { url, bytes } = await fetchPublic(URL_GIVEN, site.options);
    expect([url, Buffer.from(bytes).toString()]).toEqual([URL_GIVEN, 'arrived']);
    expect(cookies).toEqual([undefined, undefined, undefined, undefined]);
    expect(site.lookedUp).toEqual([SITE_NAME]);
  });

  it('is not followed a fourth time', async () => {
    const site = await siteWith(steps(4));
    const error = await failure(site);
    expect(error.code).toBe('url.refused');
    expect(error.message).toContain('3 times');
    expect(site.dialled).toHaveLength(4);
  });

  it.each([
    ['another site', 'https://example.org/'],
    ['a part of the same name', `https://www.${SITE_NAME}/`],
    ['another port', `https://${SITE_NAME}:8443/`],
    ['http', `http://${SITE_NAME}/`],
    ['credentials', `https://user:${REMOTE_WORDS}@${SITE_NAME}/`],
    ['loopback', 'https://127.0.0.1/'],
    ['the metadata service', 'https://169.254.169.254/latest/'],
    ['IPv6 loopback', '//[::1]/'],
    ['a local name', '//localhost/'],
    ['a file', 'file:///etc/passwd'],
    ['data', `data:text/plain,${REMOTE_WORDS}`],
    ['an invalid url', 'https://%%%'],
  ])('to %s is refused, without a second connection', async (_, location) => {
    const site = await siteWith(page(REMOTE_WORDS, { location }, 301));
    expect((await failure(site)).code).toBe('url.refused');
    expect(site.dialled).toHaveLength(1);
  });

  it('without a location is refused', async () => {
    expect((await failure(await siteWith(page(REMOTE_WORDS, {}, 308)))).code).toBe('url.refused');
  });
});

describe('the size of a page', () => {
  it('may be 2 MiB, plain and packed', async () => {
    const body = Buffer.alloc(FETCH_BYTES_MAX, 'x');
    const plain = await siteWith(page(body));
    expect((await fetchPublic(URL_GIVEN, plain.options)).bytes).toHaveLength(FETCH_BYTES_MAX);
    const packed = await siteWith(page(gzipSync(body), { 'content-encoding': 'gzip' }));
    expect((await fetchPublic(URL_GIVEN, packed.options)).bytes).toHaveLength(FETCH_BYTES_MAX);
  });

  const endless = (chunk: Buffer, first = chunk) => {
    const write = (response: ServerResponse): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', () => write(response));
    };
    return (headers: Record<string, string>): RequestListener =>
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', ...headers }).write(first);
        write(response);
      };
  };
  const GZIP_HEAD = Buffer.from('1f8b0800000000000003', 'hex');
  /** Blocks of gzip that hold nothing: without a bound on the wire they would be read forever. */
  const EMPTY_BLOCKS = Buffer.from('000000ffff'.repeat(4_000), 'hex');

  it.each<[string, RequestListener]>([
    ['one byte too many, as announced', page(Buffer.alloc(FETCH_BYTES_MAX + 1))],
    ['more than announced', (_, r) => r.writeHead(200, { 'content-type': 'text/plain', 'content-length': '99999999' })],
    ['an endless body', endless(Buffer.alloc(65_536, 'x'))({})],
    ['a packed body of 64 MiB', page(gzipSync(Buffer.alloc(67_108_864)), { 'content-encoding': 'gzip' })],
    ['an endless, empty gzip', endless(EMPTY_BLOCKS, GZIP_HEAD)({ 'content-encoding': 'gzip' })],
  ])('is refused with %s', async (_, handler) => {
    const site = await siteWith((request, response) => {
      handler(request, response);
      response.flushHeaders();
    });
    const error = await failure(site);
    expect(error).toMatchObject({ code: 'url.too_large', details: { field: 'url', limit: FETCH_BYTES_MAX } });
    expect(error.message).toContain(String(FETCH_BYTES_MAX));
  });
});

describe('an acceptable page', () => {
  it.each([
    'application/octet-stream',
    'image/png',
    'image/svg+xml',
    'text/css',
    'application/javascript',
    'application/zip',
    'text/htmlx',
    'text/html, application/pdf',
    REMOTE_WORDS,
    '',
  ])('must have a supported media type: %p is refused', async (type) => {
    const site = await siteWith(page(REMOTE_WORDS, { 'content-type': type }));
    expect(await failure(site)).toMatchObject({ code: 'url.unsupported', kind: 'invalid' });
  });

  it.each([
    ['brotli', brotliCompressSync(Buffer.from('x')), 'br'],
    ['gzip twice', gzipSync(gzipSync(Buffer.from('x'))), 'gzip, gzip'],
    ['an unknown encoding', Buffer.from(REMOTE_WORDS), REMOTE_WORDS],
  ])('must not be encoded as %s', async (_, body, encoding) => {
    const site = await siteWith(page(body, { 'content-encoding': encoding }));
    expect((await failure(site)).code).toBe('url.unsupported');
  });

  it.each([
    [204, 'url.no_page', false],
    [206, 'url.no_page', false],
    [304, 'url.no_page', false],
    [401, 'url.no_page', false],
    [404, 'url.no_page', false],
    [410, 'url.no_page', false],
    [429, 'url.unreachable', true],
    [500, 'url.unreachable', true],
    [503, 'url.unreachable', true],
  ])('must not have status %i: %s', async (status, code, isTransient) => {
    const error = await failure(await siteWith(page(REMOTE_WORDS, {}, status)));
    expect([error.code, error.kind === 'unavailable']).toEqual([code, isTransient]);
    expect(error.message).toContain(String(status));
  });
});

describe('a site that does not answer properly', () => {
  it.each<[string, RequestListener]>([
    ['sends nothing at all', () => undefined],
    ['sends its head and then nothing', (_, response) => response.writeHead(200).flushHeaders()],
    [
      'sends a byte now and then',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const timer = setInterval(() => response.write('x'), 20);
        response.once('close', () => clearInterval(timer));
      },
    ],
    [
      'delays each redirect',
      (_, response) => {
        setTimeout(() => response.writeHead(302, { location: '/again' }).end(), SHORT_MS / 2);
      },
    ],
  ])('and %s is abandoned when the time is up', async (_, handler) => {
    const site = await siteWith((request, response) => {
      response.setHeader('content-type', 'text/plain');
      handler(request, response);
    });
    const error = await failure(site, { timeoutMs: SHORT_MS });
    expect(error).toMatchObject({ code: 'url.unreachable', kind: 'unavailable' });
    expect(error.message).toContain('0.3 s');
  });

  it('is abandoned when the lookup of its name takes too long', async () => {
    const site = await siteWith(page('x'));
    const error = await failure(site, { timeoutMs: SHORT_MS, resolve: () => new Promise(() => undefined) });
    expect(error.code).toBe('url.unreachable');
  });

  it('is abandoned when it accepts a connection but never starts TLS', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    opened.push(async () => {
      mute.close();
      await Promise.resolve();
    });
    const { port } = mute.address() as AddressInfo;
    const connect = () => connectTls({ host: '127.0.0.1', port });
    const resolve = () => Promise.resolve([SITE_ADDRESS]);
    const error = await refusal(fetchPublic(URL_GIVEN, { connect, resolve, connectTimeoutMs: SHORT_MS }));
    expect(error.code).toBe('url.unreachable');
    expect(error.message).toContain('accept a connection within 0.3 s');
  });

  it.each<[string, RequestListener]>([
    ['hangs up at once', (request) => request.socket.destroy()],
    [
      'hangs up in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
        response.write(REMOTE_WORDS, () => response.destroy());
      },
    ],
    ['truncates its gzip', page(gzipSync(REMOTE_WORDS).subarray(0, 20), { 'content-encoding': 'gzip' })],
    ['labels other content as gzip', page(REMOTE_WORDS, { 'content-encoding': 'gzip' })],
    ['does not speak HTTP', (request) => request.socket.end(`${REMOTE_WORDS}\r\n\r\n`)],
    ['sends a head of 64 KiB', page('x', { 'x-long': 'x'.repeat(65_536) })],
  ])('and %s is unreachable', async (_, handler) => {
    const error = await failure(await siteWith(handler));
    expect(error).toMatchObject({ code: 'url.unreachable', kind: 'unavailable', details: { field: 'url' } });
  });
});

describe('a certificate', () => {
  const connectTo = (site: TestSite, ca: string | undefined): FetchOptions['connect'] => {
    const { port } = site.server.address() as AddressInfo;
    return ({ lookup: _, ...options }) =>
      connectTls({ ...options, host: '127.0.0.1', port, ...(ca === undefined ? {} : { ca }) });
  };

  it.each([
    ['from an unknown authority', SITE_NAME, 2126, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['for another name', 'other.example.com', 2126, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', SITE_NAME, 2021, 'CERT_HAS_EXPIRED'],
  ])('%s is refused, even if the environment would allow it', async (_, name, untilYear, reason) => {
    const isTrusted = reason !== 'DEPTH_ZERO_SELF_SIGNED_CERT';
    const site = await siteWith(page(REMOTE_WORDS));
    const certificate = testCertificate(name, [1, 1, 1, 1], untilYear);
    site.server.setSecureContext(certificate);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const error = await failure(site, { connect: connectTo(site, isTrusted ? certificate.cert : undefined)! });
      expect(error).toMatchObject({ code: 'url.unreachable', cause: { code: reason } });
      expect(error.message).toContain('certificate');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });
});
