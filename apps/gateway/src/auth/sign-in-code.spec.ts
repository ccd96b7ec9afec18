import { beforeEach, describe, expect, it } from '@jest/globals';
import { SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';
import { SignInCode } from './sign-in-code.js';

let now: number;
let code: SignInCode;

beforeEach(() => {
  now = 1_800_000_000_000;
  code = new SignInCode('cairn_live_token', { now: () => now });
});

describe('a sign-in code', () => {
  it('has 128 random bits, of which a terminal makes a link', () => {
    expect(code.text).toMatch(/^[0-9a-f]{32}$/);
    const texts = new Set(Array.from({ length: 100 }, () => new SignInCode('t').text));
    expect(texts.size).toBe(100);
  });

  it('gives its token once', () => {
    expect(code.redeem(code.text)).toBe('cairn_live_token');
    expect(code.redeem(code.text)).toBeUndefined();
  });

  it('gives nothing to a wrong guess, and is not used up by it', () => {
    for (const guess of ['', 'x', code.text.slice(1), `${code.text}0`, code.text.toUpperCase() + ' ', '0'.repeat(32)]) {
      expect(code.redeem(guess)).toBeUndefined();
    }
    expect(code.redeem(code.text)).toBe('cairn_live_token');
  });

  it('ends with its time', () => {
    now += SIGN_IN_CODE_LIFE_MS - 1;
    const other = new SignInCode('t', { now: () => now });
    now += 1;
    expect(code.redeem(code.text)).toBeUndefined();
    expect(other.redeem(other.text)).toBe('t');
  });
});
