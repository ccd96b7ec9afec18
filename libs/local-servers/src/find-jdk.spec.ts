import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findJdk } from './find-jdk.js';

const fakeJdk = (version: string): string => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-jdk-'));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'javac'), '');
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
  return home;
};

describe('finding a JDK', () => {
  it('uses the JDK that the caller names', () => {
    const home = fakeJdk('21.0.4');
    expect(findJdk(home)).toEqual({ home, version: 21 });
  });

  it('rejects a named JDK that is too old, and reports what it found', () => {
    const home = fakeJdk('17.0.9');
    expect(() => findJdk(home)).toThrow(`21 or newer. Looked at: ${home}; JDKs among them: ${home} (version 17)`);
  });

  it('chooses the newest of the JDKs that it finds', () => {
    const [old, newest] = [fakeJdk('21.0.4'), fakeJdk('25.0.1')];
    const jdk = findJdk(undefined, () => [old, newest, '/no/such/jdk', fakeJdk('17.0.9')]);
    expect(jdk).toEqual({ home: newest, version: 25 });
  });
});
