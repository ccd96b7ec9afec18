import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@cairn/kernel';
import { z } from 'zod';
import { requireTogether } from './environment-problem.js';
import { fileVariable, readSecret } from './secret-file.js';
import { tlsFiles, tlsOptions } from './tls-files.js';

const dir = mkdtempSync(join(tmpdir(), 'cairn-credentials-'));
afterAll(() => rmSync(dir, { recursive: true }));

const fileWith = (name: string, content: string): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};
const env = z.object({ SECRET_FILE: fileVariable().optional() });

describe('a variable that names a file', () => {
  it('accepts a file with content, and reads it without the line break at its end', () => {
    const path = fileWith('secret', 'two words\n');
    expect(loadConfig(env, { SECRET_FILE: path })).toEqual({ SECRET_FILE: path });
    expect(readSecret(path)).toBe('two words');
  });

  it.each([
    ['a missing file', () => join(dir, 'none'), 'cannot be read: no such file or directory (ENOENT)'],
    ['a directory', () => dir, 'is not a file'],
    ['an empty file', () => fileWith('empty', '\n'), 'is empty'],
    ['a file that is too large', () => fileWith('large', 'x'.repeat(262_145)), 'has more than 262144 bytes'],
  ])('rejects %s with its name and the reason', (_, make, reason) => {
    const path = make();
    expect(() => loadConfig(env, { SECRET_FILE: path })).toThrow(`Bad environment:\n  SECRET_FILE: ${path} ${reason}`);
  });
});

describe('variables that belong together', () => {
  it('are accepted when both or neither are set', () => {
    expect(() => requireTogether({}, 'A', 'B')).not.toThrow();
    expect(() => requireTogether({ A: 1, B: 2 }, 'A', 'B')).not.toThrow();
  });

  it('are rejected when one is missing, with the names of both', () => {
    expect(() => requireTogether({ A: 1 }, 'A', 'B')).toThrow('  A: needs B; set both, or neither');
    expect(() => requireTogether({ B: 1 }, 'A', 'B')).toThrow('  B: needs A; set both, or neither');
  });
});

describe('certificates in files', () => {
  it('are read again for every connection', () => {
    const caFile = fileWith('ca.pem', 'first');
    const files = tlsFiles('X', { X_CA_FILE: caFile })!;
    expect(tlsOptions(files)).toEqual({ ca: 'first' });
    fileWith('ca.pem', 'renewed');
    expect(tlsOptions(files)).toEqual({ ca: 'renewed' });
  });

  it('are optional, but a client certificate needs its key', () => {
    expect(tlsFiles('X', {})).toBeUndefined();
    expect(tlsFiles('X', { X_CERT_FILE: 'c', X_KEY_FILE: 'k' })).toEqual({ certFile: 'c', keyFile: 'k' });
    expect(() => tlsFiles('X', { X_CERT_FILE: 'c' })).toThrow('X_CERT_FILE: needs X_KEY_FILE');
  });
});
