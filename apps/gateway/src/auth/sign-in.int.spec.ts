import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';
import { ensureStreams } from '@cairn/op-log';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { FAILED_AUTH_PER_MINUTE_MAX } from './failed-auth-limit.js';
import { SignInCodes } from './sign-in-codes.js';

const TOKEN = 'cairn_live_token';
const MINUTE_MS = 60_000;

let now = Date.now();
const clock = { now: () => now };
let gateway: GatewayUnderTest;
let replica: { readonly url: string };
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ clock });
  await ensureStreams(gateway.nats);
  replica = { url: await gateway.startReplica() };
});
afterAll(() => gateway.stop());

interface Sending {
  readonly to?: { readonly url: string };
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

const send = (body: unknown, { to = gateway, path = '/sign-in', method = 'POST', headers = {} }: Sending = {}) =>
  fetch(`${to.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** Everything that a guess can learn, without the parts that differ between any two answers. */
const guess = async (text: string, to: { readonly url: string } = gateway): Promise<string> => {
  const response = await send({ code: text }, { to });
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  const seen = JSON.stringify({ status: response.status, headers, body: await response.text() });
  return seen.replaceAll(to.url, '<url>').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '<id>');
};

const statusAndCode = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

describe('POST /sign-in', () => {
  it.each<[string, unknown, number, string]>([
    ['an unknown field', { code: 'x', token: 'y' }, 400, 'input.invalid'],
    ['no code', {}, 400, 'input.invalid'],
    ['an empty code', { code: '' }, 400, 'input.invalid'],
    ['a code of 65 characters', { code: 'x'.repeat(65) }, 400, 'input.invalid'],
    ['a code that is not text', { code: 42 }, 400, 'input.invalid'],
    ['a list', [], 400, 'input.invalid'],
    ['bad JSON', '{', 400, 'input.malformed'],
  ])('is refused with %s', async (_, body, status, errorCode) => {
    expect(await statusAndCode(await send(body))).toEqual([status, errorCode]);
  });

  it('rejects parameters and other media types', async () => {
    expect(await statusAndCode(await send({ code: 'x' }, { path: '/sign-in?code=x' }))).toEqual([400, 'input.invalid']);
    const headers = { 'content-type': 'text/plain' };
    expect(await statusAndCode(await send({ code: 'x' }, { headers }))).toEqual([415, 'route.unsupported_media']);
  });

  it('is the only method of its path that needs no token: with a token, another method answers 405 and names POST', async () => {
    expect(await statusAndCode(await send(undefined, { method: 'GET' }))).toEqual([401, 'auth.missing']);
    const headers = { authorization: `Bearer ${gateway.services.issue()}` };
    const refused = await send(undefined, { method: 'GET', headers });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('returns the token for a code once; a wrong, a used and an expired code look alike', async () => {
    const codes = new SignInCodes(gateway.nats, clock);
    const [{ code }, { code: unused }] = [await codes.mint(TOKEN), await codes.mint(TOKEN)];
    const wrong = await guess('0'.repeat(32));
    expect(wrong).toMatch(/"status":401.*the sign-in code is not valid/);
    const redeemed = await send({ code });
    expect(redeemed.headers.get('cache-control')).toBe('no-store');
    expect([redeemed.status, await redeemed.json()]).toEqual([200, { token: TOKEN }]);
    expect(await guess(code)).toBe(wrong);
    expect(await guess(code, replica)).toBe(wrong);
    now += SIGN_IN_CODE_LIFE_MS;
    expect(await guess(unused)).toBe(wrong);
  });

  it('counts its rejections as failed authentications of the address, together with bad tokens', async () => {
    now += MINUTE_MS;
    const badToken = { headers: { authorization: 'Bearer nonsense' } };
    for (let i = 0; i < FAILED_AUTH_PER_MINUTE_MAX / 3; i++) {
      expect((await send({ code: 'wrong' })).status).toBe(401);
      expect((await send('{')).status).toBe(400);
      expect((await send(undefined, { method: 'GET', path: '/items', ...badToken })).status).toBe(401);
    }
    const flooded = await send({ code: 'wrong' });
    expect(flooded.headers.get('retry-after')).toBe('60');
    expect(await statusAndCode(flooded)).toEqual([429, 'auth.flood']);
    expect((await send(undefined, { method: 'GET', path: '/items', ...badToken })).status).toBe(429);
    now += MINUTE_MS;
    expect((await send({ code: 'wrong' })).status).toBe(401);
  });
});

describe('POST /sign-in-codes', () => {
  const mint = (token: string, to: { readonly url: string } = gateway) =>
    send({}, { to, path: '/sign-in-codes', headers: { authorization: `Bearer ${token}` } });

  it('creates a code for the token of the request, which any replica redeems', async () => {
    const token = gateway.services.issue();
    const minted = await mint(token);
    expect([minted.status, minted.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { code, expiresAt } = (await minted.json()) as { code: string; expiresAt: string };
    expect(Date.parse(expiresAt)).toBe(now + SIGN_IN_CODE_LIFE_MS);
    const redeemed = await send({ code }, { to: replica });
    expect([redeemed.status, await redeemed.json()]).toEqual([200, { token }]);
  });

  it('does not exist for a token without the admin scope', async () => {
    const token = gateway.services.issue({ scopes: ['read', 'write'] });
    expect(await statusAndCode(await mint(token))).toEqual([404, 'route.not_found']);
  });
});
