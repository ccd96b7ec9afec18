import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError } from '@cairn/kernel';
import { Home } from './home.js';

describe('the directory of a home', () => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-home-'));
  const dir = join(root, 'home');
  const mode = (): number => statSync(dir).mode & 0o777;

  const open = (...names: string[]): Home => {
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    for (const name of names) writeFileSync(join(dir, name), '');
    const home = new Home(dir);
    home.lock();
    return home;
  };

  beforeEach(() => rmSync(dir, { recursive: true, force: true }));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is private from the start that creates it', () => {
    new Home(dir);
    expect(mode()).toBe(0o700);
  });

  it.each([
    ['that is empty', []],
    ['of an earlier start', ['nats', 'notes.txt']],
  ])('is closed to other users when one %s is open to them', (_, names) => {
    open(...names).makePrivate();
    expect(mode()).toBe(0o700);
  });

  it('is rejected and left unchanged if it is open to others and contains foreign files', () => {
    const home = open('notes.txt');
    expect(() => home.makePrivate()).toThrow(ConfigError);
    expect(() => home.makePrivate()).toThrow(`chmod 700 ${dir}`);
    expect(mode()).toBe(0o755);
    home.unlock();
    expect(readdirSync(dir)).toEqual(['notes.txt']);
  });

  it('may contain foreign files if it is already private', () => {
    const home = open('notes.txt');
    chmodSync(dir, 0o700);
    expect(() => home.makePrivate()).not.toThrow();
  });
});
