import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KekFiles } from './kek-files.js';

let dir: string;
let files: KekFiles;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-kek-'));
  files = new KekFiles(dir);
  files.create();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const content = (name: string): string => readFileSync(join(dir, name), 'utf8').trim();

describe('the KEK of a home', () => {
  it('is readable by its owner only', () => {
    files.prepareNext();
    files.adoptNext();
    files.prepareNext();
    for (const name of ['kek', 'kek.previous', 'kek.next']) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it('is not changed by preparing the next one, however often', () => {
    const before = files.read();
    files.prepareNext();
    const next = content('kek.next');
    files.prepareNext();
    expect(content('kek.next')).toBe(next);
    expect(files.read()).toEqual(before);
  });

  it('is replaced by the next one and kept next to it until it is destroyed', () => {
    const { kek } = files.read();
    files.prepareNext();
    const next = content('kek.next');
    files.adoptNext();
    expect(files.read()).toEqual({ kek: next, previousKeks: [kek] });
    files.destroyPrevious();
    files.destroyPrevious();
    expect(files.read()).toEqual({ kek: next, previousKeks: [] });
    expect(readdirSync(dir)).toEqual(['kek']);
  });

  it('is replaced after a crash between the two files', () => {
    const { kek } = files.read();
    files.prepareNext();
    const next = content('kek.next');
    writeFileSync(join(dir, 'kek.previous'), `${kek}\n`);
    files.adoptNext();
    expect(files.read()).toEqual({ kek: next, previousKeks: [kek] });
  });

  it('is not replaced while the previous one is still needed', () => {
    files.prepareNext();
    files.adoptNext();
    const during = files.read();
    files.prepareNext();
    files.adoptNext();
    expect(files.read()).toEqual(during);
    files.destroyPrevious();
    files.adoptNext();
    expect(files.read()).toEqual({ kek: expect.any(String), previousKeks: [during.kek] });
  });
});
