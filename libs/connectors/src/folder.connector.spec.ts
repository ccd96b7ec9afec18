import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EXTERNAL_REF_CHARS_MAX, MESH_BYTES_MAX, parseInput } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import type { SourceEntry } from './connector.js';
import { folderConnector } from './folder.connector.js';

const SECRET = 'a secret outside of the folder';
/** A name that macOS writes: the accent is a character of its own. */
const DECOMPOSED = 'cafe\u0301';
const NOT_UTF8 = Buffer.from([0x62, 0xff, 0x64]);

let base: string;
let root: string;
let outside: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-folder-')));
  root = join(base, 'root');
  outside = join(base, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.md'), SECRET);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (ref: string, content = 'A text.'): void => {
  mkdirSync(dirname(join(root, ref)), { recursive: true });
  writeFileSync(join(root, ref), content);
};

const account = () => ({ id: 'a', settings: { path: root }, credential: null });
const limits = () => ({ signal: AbortSignal.timeout(10_000), bytesMax: MESH_BYTES_MAX });

const list = (more: { limit?: number; after?: string; signal?: AbortSignal } = {}): Promise<readonly SourceEntry[]> =>
  folderConnector([root]).list!(account(), { limit: 100, signal: limits().signal, ...more });

const refs = async (more?: { limit?: number; after?: string }): Promise<string[]> =>
  (await list(more)).map(({ ref }) => ref);

/** The text of a document, or the code of the error. */
const read = async (ref: string): Promise<string> => {
  try {
    return Buffer.from((await folderConnector([root]).hydrate!(ref, account(), limits())).bytes).toString();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code;
    throw thrown;
  }
};

const estimate = (ref: string): Promise<number | undefined> =>
  folderConnector([root]).estimate!(ref, account(), limits());

describe('the files of a folder', () => {
  it('are listed depth first by name, without hidden ones, links and other formats', async () => {
    for (const ref of ['b.md', 'a/z.txt', 'a/b/c.pdf', '.hidden.md', '.git/x.md', 'photo.jpg']) write(ref);
    symlinkSync(join(outside, 'a.md'), join(root, 'link.md'));
    symlinkSync(outside, join(root, 'linked'));
    const [first, ...others] = await list();
    expect(first).toMatchObject({ ref: 'a/b/c.pdf', title: 'c', version: expect.stringMatching(/^7:\d+$/) });
    expect(others.map(({ ref }) => ref)).toEqual(['a/z.txt', 'b.md']);
    expect(await refs({ limit: 2 })).toEqual(['a/b/c.pdf', 'a/z.txt']);
  });

  it('are fetched by the name under which they are listed, also by a decomposed one', async () => {
    write(`${DECOMPOSED}/${DECOMPOSED}.md`, 'Black.');
    const [ref] = await refs();
    expect(ref).toBe(`${DECOMPOSED}/${DECOMPOSED}.md`);
    expect(await read(ref!)).toBe('Black.');
  });

  it('may be in a directory whose name is decomposed', () => {
    const { settings } = folderConnector([root]).manifest;
    expect(parseInput(settings, { path: DECOMPOSED })).toEqual({ path: DECOMPOSED });
    expect(() => parseInput(settings, { path: 'a\u0000' })).toThrow('NUL');
  });
});

describe('an entry that cannot be read', () => {
  it('is listed as such beside the others: a name that is not UTF-8', async () => {
    for (const ref of ['a.md', 'c.md']) write(ref);
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), NOT_UTF8, Buffer.from('.md')]), '');
    mkdirSync(Buffer.concat([Buffer.from(`${root}/`), NOT_UTF8]));
    expect((await list()).map(({ ref, isUnreadable }) => [ref, isUnreadable ?? false])).toEqual([
      ['a.md', false],
      ['b\ufffdd', true],
      ['b\ufffdd.md', true],
      ['c.md', false],
    ]);
  });

  it('is listed as such beside the others: a path that is too long', async () => {
    const deep = Array.from({ length: 10 }, () => 'd'.repeat(250)).join('/');
    expect(deep.length).toBeGreaterThan(EXTERNAL_REF_CHARS_MAX);
    write(`${deep}/long.md`);
    write('e.md');
    expect((await list()).map(({ isUnreadable }) => isUnreadable ?? false)).toEqual([true, false]);
  });

  it('does not hide the others: a directory without permission', async () => {
    write('a/locked.md');
    write('b.md');
    chmodSync(join(root, 'a'), 0);
    const listed = await refs();
    chmodSync(join(root, 'a'), 0o700);
    expect(listed).toContain('b.md');
  });

  it('fails the list if it is the folder itself', async () => {
    rmSync(root, { recursive: true });
    await expect(list()).rejects.toMatchObject({ details: { field: 'settings.path' } });
  });
});

describe('a list', () => {
  it('continues after any of its documents, also one that is gone', async () => {
    const all = ['a/b/c.md', 'a/b/d.md', 'a/e.md', 'a-b.md', 'f.md'].sort();
    for (const ref of all) write(ref);
    const listed = await refs();
    expect([...listed].sort()).toEqual(all);
    for (const [i, after] of listed.entries()) expect(await refs({ after })).toEqual(listed.slice(i + 1));
    expect(await refs({ after: 'a/b/cc.md', limit: 2 })).toEqual(['a/b/d.md', 'a/e.md']);
    expect(await refs({ after: 'a/bb/x.md' })).toEqual(['a/e.md', 'a-b.md', 'f.md']);
  });

  it('ends with its time, also where no entry is a document', async () => {
    for (let i = 0; i < 20; i++) write(`d/${i}.js`);
    await expect(list({ signal: AbortSignal.abort(new Error('time is up')) })).rejects.toThrow('time is up');
  });
});

describe('reading a file', () => {
  it('leads to nothing outside of the folder', async () => {
    symlinkSync(join(outside, 'a.md'), join(root, 'link.md'));
    symlinkSync(outside, join(root, 'linked'));
    mkdirSync(`${root}-2`);
    writeFileSync(join(`${root}-2`, 'a.md'), SECRET);
    for (const ref of [
      'link.md',
      'linked/a.md',
      '../outside/a.md',
      '../root-2/a.md',
      'nothing.md',
      '.',
      'd'.repeat(300),
    ])
      expect([ref, await read(ref)]).toEqual([ref, 'mesh.source_missing']);
    await expect(estimate('linked/a.md')).rejects.toMatchObject({ code: 'mesh.source_missing' });
  });

  it('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    expect(await read('pipe.md')).toBe('mesh.source_missing');
  });

  it('leads to nothing outside while its directory is being replaced by a link', async () => {
    write('notes/a.md', 'inside');
    const [notes, aside] = [join(root, 'notes'), join(root, 'aside')];
    const race = { isOver: false };
    const replacing = (async () => {
      while (!race.isOver) {
        renameSync(notes, aside);
        symlinkSync(outside, notes);
        await turn();
        unlinkSync(notes);
        renameSync(aside, notes);
        await turn();
      }
    })();
    const texts = new Set<string>();
    for (let i = 0; i < 300; i++) texts.add(await read('notes/a.md'));
    race.isOver = true;
    await replacing;
    expect([...texts]).not.toContain(SECRET);
    expect([...texts]).toContain('inside');
  });
});

describe('the estimate of a file', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i % 10}`).join(' ');

  it('counts a short plain file', async () => {
    write('a.md', words(50));
    expect(await estimate('a.md')).toBe(100);
  });

  it('is at least the most that a fetch returns for a long plain file', async () => {
    write('a.md', words(40_000));
    expect(await estimate('a.md')).toBeGreaterThanOrEqual(4_000);
  });

  it('is unknown for a long plain file that may have fewer tokens, and for other formats', async () => {
    write('a.md', `${' '.repeat(100_000)}end`);
    write('b.pdf', words(50));
    expect([await estimate('a.md'), await estimate('b.pdf')]).toEqual([undefined, undefined]);
  });
});
