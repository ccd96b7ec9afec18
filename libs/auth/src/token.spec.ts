import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { constantTimeEqual, mintToken, parseToken, secretHashOf } from './token.js';

const tokenId = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

describe('token', () => {
  it('carries a prefix, the id, a 43-character secret and a checksum', () => {
    const { token } = mintToken(tokenId);
    expect(token).toMatch(/^cairn_live_0190a1b2c3d47e5f8a9b0c1d2e3f4a5b_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/);
  });

  it('is parsed into its id and the hash of its secret', () => {
    for (let i = 0; i < 200; i++) {
      const id = uuidV7();
      const { token, secretHash } = mintToken(id, 'test');
      expect(parseToken(token)).toEqual({ tokenId: id, secretHash });
    }
  });

  it('never mints the same secret twice', () => {
    const hashes = new Set(Array.from({ length: 100 }, () => mintToken(tokenId).secretHash));
    expect(hashes.size).toBe(100);
  });

  it('is refused after any single changed character', () => {
    const { token } = mintToken(tokenId);
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'a' ? 'b' : 'a';
      expect(parseToken(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined();
    }
  });

  it.each(['', 'cairn_', 'Bearer x', 'cairn_live_1_2', ' '.repeat(1000), 'cairn_live_' + 'f'.repeat(100_000)])(
    'is refused when it is garbage (case %#)',
    (text) => {
      expect(parseToken(text)).toBeUndefined();
    },
  );

  it('is refused with extra text before or after it', () => {
    const { token } = mintToken(tokenId);
    expect(parseToken(` ${token}`)).toBeUndefined();
    expect(parseToken(`${token}\n`)).toBeUndefined();
  });

  it('keeps the SHA-256 of the secret and nothing else', () => {
    expect(secretHashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('constantTimeEqual', () => {
  it('distinguishes equal texts from different ones, of any length', () => {
    expect(constantTimeEqual('same', 'same')).toBe(true);
    expect(constantTimeEqual('same', 'sane')).toBe(false);
    expect(constantTimeEqual('same', 'same but longer')).toBe(false);
  });
});
