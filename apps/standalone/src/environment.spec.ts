import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@cairn/kernel';
import { standaloneEnv } from './config.js';
import { unknownVariables } from './unknown-variables.js';

describe('a bad value', () => {
  it.each([
    ['CAIRN_PORT', 'many', 'must be a port number of 0 to 65535'],
    ['CAIRN_PORT', '65536', 'must be a port number of 0 to 65535'],
    ['CAIRN_PORT', '-1', 'must be a port number of 0 to 65535'],
    ['CAIRN_PORT', '80.5', 'must be a port number of 0 to 65535'],
    ['CAIRN_BM25_K1', '0', 'must be a number from 0.1 to 10'],
    ['CAIRN_KEK', 'c2hvcnQ=', 'must be 32 bytes in base64'],
    ['CAIRN_KEK', 'not base64!', 'must be 32 bytes in base64'],
  ])('is rejected with the name of its variable: %s=%s', (name, value, reason) => {
    expect(() => loadConfig(standaloneEnv, { [name]: value })).toThrow(`  ${name}: ${reason}`);
  });
});

describe('unread variables', () => {
  it('are those with our prefix that nothing reads', () => {
    expect(unknownVariables({ CAIRN_PROT: '1', CAIRN_PORT: '2', CAIRN_TOKEN: 'x', PATH: '/', NATS: 'y' })).toEqual([
      'CAIRN_PROT',
    ]);
  });

  it('do not include any variable of the reference, whichever process reads it', () => {
    const reference = readFileSync(new URL('../../../docs/reference/env.md', import.meta.url), 'utf8');
    const names = [...reference.matchAll(/^\| `(CAIRN_\w+)`/gm)].map((match) => match[1]!);
    expect(names).toContain('CAIRN_OPS_PORT');
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'set'])))).toEqual([]);
  });
});
