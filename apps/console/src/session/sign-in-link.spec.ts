import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../api/api-error.js';
import { followSignInCode, hasSignInCode, takeSignInCode } from './sign-in-link.js';

/** The part of a window that a link needs. */
const at = (pathname: string, search: string, hash: string) => {
  const replaced: unknown[][] = [];
  const history = { state: 'state', replaceState: (...args: unknown[]) => replaced.push(args) };
  return { place: { location: { pathname, search, hash }, history } as never, replaced };
};

describe('a sign-in link', () => {
  it('yields its code and leaves the address of the same page without it', () => {
    const { place, replaced } = at('/search', '?q=x', '#code=abc123');
    expect(hasSignInCode(place)).toBe(true);
    expect(takeSignInCode(place)).toBe('abc123');
    expect(replaced).toEqual([['state', '', '/search?q=x']]);
  });

  it.each(['', '#', '#chunk-2', '#codes=1'])(
    'does not take a code from the fragment "%s" and leaves it unchanged',
    (hash) => {
      const { place, replaced } = at('/', '', hash);
      expect(hasSignInCode(place)).toBe(false);
      expect(takeSignInCode(place)).toBeUndefined();
      expect(replaced).toEqual([]);
    },
  );

  const steps = { redeem: async () => 'a token', signIn: async () => undefined };
  const refuse = (error: Error) => () => Promise.reject(error);

  it('signs in with the token of its code', async () => {
    const given: string[] = [];
    const signIn = async (token: string): Promise<void> => void given.push(token);
    expect(await followSignInCode('abc', { redeem: async (code) => `token of ${code}`, signIn })).toBeUndefined();
    expect(given).toEqual(['token of abc']);
  });

  it.each([400, 401])('rejected with %s is reported as used or expired, with the next step', async (status) => {
    const redeem = refuse(new ApiError(status, 'x', 'the sign-in code is not valid'));
    const notice = await followSignInCode('abc', { ...steps, redeem });
    expect(notice?.title).toContain('used or has expired');
    expect(notice?.advice).toContain('admin-token');
  });

  it('that could not be sent is reported as not tried', async () => {
    expect(await followSignInCode('abc', { ...steps, redeem: refuse(new TypeError('fetch failed')) })).toEqual({
      title: 'the server cannot be reached',
      advice: 'Check that Cairn is running, then try again.',
    });
  });

  it('whose token is no longer valid does not blame the link', async () => {
    const signIn = refuse(new ApiError(401, 'auth.invalid', 'This token was revoked.'));
    expect((await followSignInCode('abc', { ...steps, signIn }))?.title).toBe('This token was revoked.');
  });
});
