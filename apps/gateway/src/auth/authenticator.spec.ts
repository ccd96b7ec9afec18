import { beforeEach, describe, expect, it } from '@jest/globals';
import { mintToken } from '@cairn/auth';
import { fail, systemPrincipal, type ResolvedToken } from '@cairn/contracts';
import { type AppError, uuidV7 } from '@cairn/kernel';
import { Authenticator } from './authenticator.js';
import { FAILED_AUTH_PER_MINUTE_MAX } from './failed-auth-limit.js';

let now = 1_800_000_000_000;
let lookups = 0;
let answer: () => ResolvedToken | null;
let authenticator: Authenticator;

const { token } = mintToken(uuidV7());
const principal = systemPrincipal(uuidV7());
const good = (): ResolvedToken => ({
  principal,
  expiresAt: new Date(now + 10_000).toISOString(),
  rateLimitPerHour: null,
});

const query = async () => {
  lookups++;
  return answer();
};

beforeEach(() => {
  lookups = 0;
  answer = good;
  authenticator = new Authenticator({ query } as never, { now: () => now });
});

const codeOf = (header: string | undefined, address = '1.2.3.4'): Promise<string> =>
  authenticator.authenticate(header, address, 'c').then(
    () => 'ok',
    (error: unknown) => (error as AppError).code,
  );

describe('Authenticator', () => {
  it('looks a token in use up once a second, and only once for many simultaneous requests', async () => {
    await Promise.all([codeOf(`Bearer ${token}`), codeOf(`Bearer ${token}`), codeOf(`bearer ${token}`)]);
    expect(lookups).toBe(1);
    now += 999;
    await codeOf(`Bearer ${token}`);
    expect(lookups).toBe(1);
    now += 2;
    await codeOf(`Bearer ${token}`);
    expect(lookups).toBe(2);
  });

  it('rejects a revoked token once the cached answer is a second old', async () => {
    expect(await codeOf(`Bearer ${token}`)).toBe('ok');
    answer = () => null;
    now += 1_001;
    expect(await codeOf(`Bearer ${token}`)).toBe('auth.invalid');
  });

  it('rejects a token as soon as its end is reported, even while an earlier lookup is in progress', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = { query: () => gate.then(good) };
    authenticator = new Authenticator(slow as never, { now: () => now });
    const underWay = codeOf(`Bearer ${token}`);
    authenticator.end(principal.tokenId);
    release();
    expect([await underWay, await codeOf(`Bearer ${token}`)]).toEqual(['auth.invalid', 'auth.invalid']);
  });

  it('rejects garbage without a lookup', async () => {
    for (const header of ['Bearer x', 'Basic abc', `Bearer ${token}x`, 'Bearer', token]) {
      expect(await codeOf(header)).toBe('auth.invalid');
    }
    expect(await codeOf(undefined)).toBe('auth.missing');
    expect(lookups).toBe(0);
  });

  it('rejects a token that has expired since it was looked up', async () => {
    answer = () => ({ ...good(), expiresAt: new Date(now + 500).toISOString() });
    expect(await codeOf(`Bearer ${token}`)).toBe('ok');
    now += 501;
    expect(await codeOf(`Bearer ${token}`)).toBe('auth.invalid');
  });

  it('looks the token up again after a failed lookup, and does not blame the token', async () => {
    answer = () => {
      throw fail('service.unavailable', 'unavailable');
    };
    expect(await codeOf(`Bearer ${token}`)).toBe('service.unavailable');
    answer = good;
    expect(await codeOf(`Bearer ${token}`)).toBe('ok');
  });

  it('answers a flood of bad tokens with auth.flood for the rest of the minute, per address', async () => {
    for (let i = 0; i < FAILED_AUTH_PER_MINUTE_MAX; i++) expect(await codeOf('Bearer x')).toBe('auth.invalid');
    expect(await codeOf('Bearer x')).toBe('auth.flood');
    expect(await codeOf('Bearer x', '5.6.7.8')).toBe('auth.invalid');
    const error = await authenticator.authenticate('Bearer x', '1.2.3.4', 'c').catch((thrown: AppError) => thrown);
    expect(error).toMatchObject({ details: { retryAfterSec: 60 } });
    now += 60_000;
    expect(await codeOf('Bearer x')).toBe('auth.invalid');
  });

  it('accepts a token that is known to be valid during a flood from its own address', async () => {
    expect(await codeOf(`Bearer ${token}`)).toBe('ok');
    for (let i = 0; i <= FAILED_AUTH_PER_MINUTE_MAX; i++) await codeOf('Bearer x');
    now += 2_000;
    expect(await codeOf(`Bearer ${token}`)).toBe('ok');
    const other = mintToken(uuidV7()).token;
    expect(await codeOf(`Bearer ${other}`)).toBe('auth.flood');
  });
});
