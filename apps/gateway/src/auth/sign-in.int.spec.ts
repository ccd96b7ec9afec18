import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.fake.js';
import { FAILED_AUTH_PER_MINUTE_MAX } from './failed-auth-limit.js';
import { SignInCode } from './sign-in-code.js';

const TOKEN = 'cairn_live_token';
const MINUTE_MS = 60_000;

let now = Date.now();
const clock = { now: () => now };
const code = new SignInCode(TOKEN, clock);
let gateway: GatewayUnderTest;
let without: GatewayUnderTest;
beforeAll(async () => {
  [gateway, without] = await Promise.all([
    startGatewayUnderTest({ clock, signInCode: code }),
    startGatewayUnderTest({ clock }),
  ]);
});
afterAll(() => Promise.all([gateway.stop(), without.stop()]));

const send = (body: unknown, { to = gateway, path = '/sign-in', method = 'POST', headers = {} } = {}) =>
  fetch(`${to.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** All that a guess can learn, without what differs between any two answers. */
const guess = async (text: string, to = gateway): Promise<string> => {
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
    ['a code that is no text', { code: 42 }, 400, 'input.invalid'],
    ['a list', [], 400, 'input.invalid'],
    ['bad JSON', '{', 400, 'input.malformed'],
  ])('is refused with %s', async (_, body, status, errorCode) => {
    expect(await statusAndCode(await send(body))).toEqual([status, errorCode]);
  });

  it('takes no parameter and no other media type', async () => {
    expect(await statusAndCode(await send({ code: 'x' }, { path: '/sign-in?code=x' }))).toEqual([400, 'input.invalid']);
    const headers = { 'content-type': 'text/plain' };
    expect(await statusAndCode(await send({ code: 'x' }, { headers }))).toEqual([415, 'route.unsupported_media']);
  });

  it('is the only thing here that asks for no token: another method does, and is then told of POST', async () => {
    expect(await statusAndCode(await send(undefined, { method: 'GET' }))).toEqual([401, 'auth.missing']);
    const headers = { authorization: `Bearer ${gateway.services.issue()}` };
    const told = await send(undefined, { method: 'GET', headers });
    expect([told.status, told.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('gives the token for the code once; a wrong, a used and an expired one, and one where none exists, look alike', async () => {
    const wrong = await guess('0'.repeat(32));
    expect(wrong).toMatch(/"status":401.*the sign-in code is not valid/);
    const redeemed = await send({ code: code.text });
    expect(redeemed.headers.get('cache-control')).toBe('no-store');
    expect([redeemed.status, await redeemed.json()]).toEqual([200, { token: TOKEN }]);
    expect(await guess(code.text)).toBe(wrong);
    expect(await guess(code.text, without)).toBe(wrong);
    now += SIGN_IN_CODE_LIFE_MS;
    expect(await guess(code.text)).toBe(wrong);
  });

  it('counts what it refuses as failed authentications of the address, together with bad tokens', async () => {
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
