import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import { EXIT, RefusedError, UsageError } from '../exit.js';
import type { FailedFile } from './failed-file.js';
import { importCommand } from './import.commands.js';
import { progressLine } from './import-output.js';
import { RestClient } from '../rest/rest-client.js';
import { walkFolder } from './walk-folder.js';

/** A file that arrived, by itself or in a batch. */
interface Seen {
  readonly key: string;
  readonly body: string;
}

interface Rejection {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly code?: string;
}

let dir: string;
let root: string;
let server: Server;
let seen: Seen[];
/** The number of files of each request. */
let requests: number[];
/** The first folder of the workspace; undefined if the token may not list folders. */
let firstFolder: string | undefined;
let scopes: string[];
/** How the server rejects a request, or one item of a batch; undefined if it accepts it. */
let rejectionOf: (attempt: number, body: string) => Rejection | undefined;
let itemRejectionOf: (attempt: number, item: string) => Rejection | undefined;

const answer = (res: ServerResponse, status: number, body: unknown, headers = {}): void =>
  void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  if (req.method === 'GET' && firstFolder === undefined)
    return answer(res, 404, { error: { code: 'route.not_found', message: 'no' } });
  if (req.url?.endsWith('/whoami')) return answer(res, 200, { scopes });
  if (req.method === 'GET') return answer(res, 200, { items: [{ id: firstFolder, slug: 'notes' }], nextCursor: null });
  const body = Buffer.concat(chunks).toString();
  const isBatch = req.url?.endsWith('/items:batch') === true;
  const files = isBatch ? itemsOf(body) : [{ key: String(req.headers['idempotency-key']), body }];
  seen.push(...files);
  requests.push(files.length);
  const rejection =
    rejectionOf(requests.length, body) ?? (isBatch ? undefined : itemRejectionOf(requests.length, body));
  if (rejection) return answer(res, rejection.status, errorOf(rejection), rejection.headers);
  if (!isBatch) return answer(res, 201, { id: 'item' });
  answer(res, 200, { results: files.map(({ body: item }, i) => resultOf(item, i)) });
};

const errorOf = ({ code = 'busy' }: Rejection) => ({ error: { code, message: 'no' } });

const itemsOf = (body: string): Seen[] =>
  JSON.parse(body).items.map((item: { idempotencyKey: string }) => ({
    key: item.idempotencyKey,
    body: JSON.stringify(item),
  }));

const resultOf = (item: string, place: number) => {
  const rejection = itemRejectionOf(requests.length, item);
  if (!rejection) return { id: 'item' };
  const { code = 'busy', status } = rejection;
  return { error: { status, code, message: `items[${place}]: no` } };
};

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-import-'));
  root = join(dir, 'files');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'b.md'), '# b');
  writeFileSync(join(root, 'a.txt'), 'a');
  writeFileSync(join(root, 'sub', 'c.csv'), 'c,d\n');
  seen = [];
  requests = [];
  firstFolder = 'folder-1';
  scopes = ['read', 'write'];
  rejectionOf = itemRejectionOf = () => undefined;
  server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

const start = async (options: readonly string[]) => {
  const out: string[] = [];
  let code: number | undefined;
  const { port } = server.address() as AddressInfo;
  const context = {
    env: { CAIRN_HOME: join(dir, 'home'), CAIRN_URL: `http://127.0.0.1:${port}`, CAIRN_TOKEN: 'secret' },
    out: (line: string) => void out.push(line),
    err: () => undefined,
    exit: (given: number) => void (code = given),
  };
  await importCommand(context).parseAsync([root, ...options], { from: 'user' });
  return { code, out };
};

const run = async (...options: string[]) => {
  const { code, out } = await start(['--json', ...options]);
  return { code, report: JSON.parse(out.join('\n')) as Record<string, unknown> };
};

/**
 * A folder that not even the superuser, who ignores file modes, can list: its path exceeds the longest path allowed. It
 * is moved down level by level, since it could not be created there either.
 */
const LEVELS = 24;
const buryFolder = (): void => {
  const [top, next] = [join(root, 'deep'), join(dir, 'next')];
  mkdirSync(top);
  for (let i = 0; i < LEVELS; i++) {
    mkdirSync(next);
    renameSync(top, join(next, 'x'.repeat(200)));
    renameSync(next, top);
  }
};
/** A folder that cannot be listed cannot be removed either, so it is moved up again level by level. */
const unburyFolder = (): void => {
  const [top, next] = [join(root, 'deep'), join(dir, 'next')];
  for (let i = 0; i < LEVELS; i++) {
    renameSync(join(top, 'x'.repeat(200)), next);
    rmSync(top, { recursive: true });
    renameSync(next, top);
  }
};

/** The address of a server that has just stopped. */
const unusedUrl = async (): Promise<string> => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  return `http://127.0.0.1:${port}`;
};

const PROGRESS = {
  files: 5,
  filesKnown: 0,
  filesTotal: 20,
  bytes: 500,
  bytesKnown: 0,
  bytesTotal: 2_048,
  seconds: 2,
};

const paths = (): (string | undefined)[] => seen.map(({ body }) => /"name":"([^"]+)"/.exec(body)?.[1]);

describe('walking a folder', () => {
  it('finds supported files in order and counts the others by reason', () => {
    writeFileSync(join(root, 'z.png'), '');
    writeFileSync(join(root, 'y.png'), '');
    writeFileSync(join(root, 'Makefile'), '');
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, '.git', 'x.txt'), 'x');
    symlinkSync(join(dir, 'elsewhere.txt'), join(root, 'out.txt'));
    symlinkSync(dir, join(root, 'loop'));
    expect(walkFolder(root)).toEqual({
      files: [
        { path: 'a.txt', bytes: 1 },
        { path: 'b.md', bytes: 3 },
        { path: 'sub/c.csv', bytes: 4 },
      ],
      skipped: { 'unsupported (.png)': 2, 'unsupported (no extension)': 1, hidden: 1, 'symbolic link': 2 },
      failed: [],
    });
  });
});

describe('cairn import', () => {
  it('sends every file once with its path, folder and tags, and nothing on the second run', async () => {
    const options = ['--folder', 'notes', '--tags', 'one,Two', '--concurrency', '1'];
    expect(await run(...options)).toMatchObject({
      code: EXIT.ok,
      report: { imported: 3, known: 0, failed: [], left: 0 },
    });
    expect(paths()).toEqual(['a.txt', 'b.md', 'sub/c.csv']);
    expect(JSON.parse(seen[1]!.body)).toEqual({
      title: 'b',
      text: '# b',
      format: 'md',
      folderId: 'folder-1',
      tags: ['one', 'two'],
      source: { kind: 'file', name: 'b.md' },
      idempotencyKey: expect.any(String),
    });
    expect(seen[2]?.body).toMatch(/folder-1[^]*one[^]*two[^]*filename="c.csv"/);
    expect(requests).toEqual([2, 1]);
    expect(await run(...options)).toMatchObject({ code: EXIT.ok, report: { imported: 0, known: 3 } });
    expect(seen).toHaveLength(3);
  });

  it('sends a changed file again, under another key', async () => {
    await run();
    writeFileSync(join(root, 'a.txt'), 'b');
    expect(await run()).toMatchObject({ report: { imported: 1, known: 2 } });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(4);
  });

  it('reuses the same keys when the journal is lost or cut off', async () => {
    const { report } = await run();
    const journal = String(report['journal']);
    rmSync(journal);
    await run();
    expect(new Set(seen.map(({ key }) => key)).size).toBe(3);
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines[0]}\n${lines[1]?.slice(0, 20)}`);
    expect(await run()).toMatchObject({ report: { imported: 2, known: 1 } });
    expect(await run()).toMatchObject({ report: { imported: 0, known: 3 } });
  });

  it('retries while the server is busy or unavailable', async () => {
    rejectionOf = (attempt) =>
      attempt === 1 ? { status: 429, headers: { 'retry-after': '0' } } : attempt === 2 ? { status: 503 } : undefined;
    expect(await run('--concurrency', '1')).toMatchObject({ code: EXIT.ok, report: { imported: 3 } });
    expect(requests).toEqual([2, 2, 2, 1]);
    expect(seen.slice(2, 4)).toEqual(seen.slice(0, 2));
  });

  it('waits as long as the server asks, however often', async () => {
    const refusals = 12;
    rejectionOf = (attempt) => (attempt <= refusals ? { status: 429, headers: { 'retry-after': '0.01' } } : undefined);
    expect(await run('--concurrency', '1')).toMatchObject({ code: EXIT.ok, report: { imported: 3, failed: [] } });
    expect(requests).toHaveLength(refusals + 2);
  }, 30_000);

  it('sends only those items of a batch again that were refused for now', async () => {
    itemRejectionOf = (attempt, item) =>
      attempt <= 2 && item.includes('"b.md"') ? { status: 503, code: 'service.unavailable' } : undefined;
    expect(await run('--concurrency', '1')).toMatchObject({ code: EXIT.ok, report: { imported: 3, failed: [] } });
    expect(requests).toEqual([2, 1, 1, 1]);
    expect(paths()).toEqual(['a.txt', 'b.md', 'b.md', 'b.md', 'sub/c.csv']);
  });

  it('sends texts in batches that fit a request, and a text that does not fit one as an upload', async () => {
    for (let i = 0; i < 250; i++) writeFileSync(join(root, 'sub', `note-${i}.md`), `Note ${i}.`);
    // A tab takes one byte in the file and two in JSON.
    for (let i = 0; i < 3; i++) writeFileSync(join(root, 'sub', `tabs-${i}.txt`), `x${'\t'.repeat(300_000)}`);
    writeFileSync(join(root, 'z-tabs.txt'), `${'字'.repeat(245_000)}${'\t'.repeat(200_000)}`);
    await run('--concurrency', '1');
    expect(Math.max(...requests)).toBe(100);
    expect(requests.reduce((sum, count) => sum + count, 0)).toBe(257);
    expect(new Set(paths()).size).toBe(257);
    expect(seen.find(({ body }) => body.includes('z-tabs.txt'))?.body).toContain('form-data');
  });

  it('reports a text that cannot be read, and sends the others of its batch', async () => {
    writeFileSync(join(root, 'bad.txt'), Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]));
    const { code, report } = await run();
    expect(code).toBe(EXIT.partial);
    expect(report).toMatchObject({ imported: 3, failed: [{ path: 'bad.txt', code: 'file.unreadable' }] });
    expect(paths()).not.toContain('bad.txt');
  });

  it('continues after a rejected file and reports its name and the reason', async () => {
    itemRejectionOf = (_, body) => (body.includes('"b.md"') ? { status: 422, code: 'file.unreadable' } : undefined);
    const { code, report } = await run();
    expect(code).toBe(EXIT.partial);
    expect(report).toMatchObject({ imported: 2, failed: [{ path: 'b.md', code: 'file.unreadable', message: 'no' }] });
  });

  it('continues after a folder that cannot be listed and reports its name and the reason', async () => {
    buryFolder();
    try {
      const failed = [{ path: expect.stringMatching(/^deep\/x+/), code: 'ENAMETOOLONG', message: expect.any(String) }];
      const { code, report } = await run();
      expect(code).toBe(EXIT.partial);
      expect(report).toMatchObject({ imported: 3, failed, left: 0 });
      const again = await start(['--dry-run']);
      expect(again.code).toBe(EXIT.partial);
      expect(again.out[0]).toMatch(/^would fail: deep\/x.*ENAMETOOLONG/);
      expect(again.out.at(-1)).toBe('0 to import (0 bytes), 3 imported before, 1 would fail');
    } finally {
      unburyFolder();
    }
  });

  it('recognises its files with a new token of the same workspace', async () => {
    await run();
    expect(await run('--token', 'another')).toMatchObject({ report: { imported: 0, known: 3 } });
    expect(seen).toHaveLength(3);
  });

  it('sends everything again with other tags, under other keys', async () => {
    await run('--tags', 'one');
    expect(await run('--tags', 'two')).toMatchObject({ report: { imported: 3, known: 0 } });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(6);
  });

  it('starts from scratch in another workspace of the same server', async () => {
    await run();
    firstFolder = 'folder-of-another-workspace';
    expect(await run('--token', 'another')).toMatchObject({ report: { imported: 3, known: 0 } });
  });

  it('keeps a journal per write-only token, since nothing identifies its workspace', async () => {
    firstFolder = undefined;
    await run();
    expect(await run()).toMatchObject({ report: { imported: 0, known: 3 } });
    expect(await run('--token', 'another')).toMatchObject({ report: { imported: 3, known: 0 } });
  });

  it('counts a file whose key was used before as already imported', async () => {
    itemRejectionOf = () => ({ status: 409, code: 'idempotency.key_reused' });
    const known = { code: EXIT.ok, report: { imported: 0, known: 3, failed: [] } };
    expect(await run()).toMatchObject(known);
    expect(await run()).toMatchObject(known);
    expect(seen).toHaveLength(3);
  });

  it('reports any other conflict as a failure', async () => {
    itemRejectionOf = () => ({ status: 409, code: 'version.conflict' });
    expect(await run()).toMatchObject({
      code: EXIT.partial,
      report: { known: 0, failed: Array(3).fill({ code: 'version.conflict' }) },
    });
  });

  it('stops at once and reports an invalid token', async () => {
    rejectionOf = () => ({ status: 401, code: 'auth.invalid' });
    const ended = run('--concurrency', '1');
    await expect(ended).rejects.toThrow(UsageError);
    await expect(ended).rejects.toThrow('the access token is not valid');
    expect(requests).toHaveLength(1);
  });

  it.each([[[]], [['--dry-run']]])(
    'sends nothing with a read-only token and names the missing scope',
    async (options) => {
      scopes = ['read'];
      const ended = run(...options);
      await expect(ended).rejects.toThrow(UsageError);
      await expect(ended).rejects.toThrow(
        /^the token lacks the scope write at http:\S+: an admin can issue one that has it in the console under Tokens, or/,
      );
      expect(seen).toEqual([]);
    },
  );

  it('stops at once when the token has neither the read nor the write scope', async () => {
    firstFolder = undefined;
    rejectionOf = () => ({ status: 404, code: 'route.not_found' });
    const ended = run('--concurrency', '1');
    await expect(ended).rejects.toThrow(UsageError);
    await expect(ended).rejects.toThrow('the token lacks the scope write');
    expect(requests).toHaveLength(1);
  });

  it('reports the missing read scope when a folder is given by its slug', async () => {
    firstFolder = undefined;
    await expect(run('--folder', 'notes')).rejects.toThrow('the token lacks the scope read');
  });

  it('reports at once that the address is unreachable, and why', async () => {
    const url = await unusedUrl();
    const ended = run('--url', url);
    await expect(ended).rejects.toThrow(RefusedError);
    await expect(ended).rejects.toThrow(`${url} is out of reach: connection refused; is Cairn running?`);
  });

  it('reports what it is waiting for, and why, while it retries', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new RestClient({ url, token: 'secret' }, new AbortController().signal);
    const during: (string | undefined)[] = [];
    rejectionOf = (attempt) => {
      during.push(client.waiting);
      return attempt === 1 ? { status: 503 } : undefined;
    };
    await client.post('/items', new FormData(), 'key');
    expect([...during, client.waiting]).toEqual([undefined, `${url}: it answers 503`, undefined]);
    expect(progressLine({ ...PROGRESS, waiting: `${url}: connection refused` })).toBe(
      `5 of 20 files, 500 bytes of 2.0 KiB, waiting for ${url}: connection refused`,
    );
  });

  it('reports the time of the next attempt when the pause is long', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const interrupted = new AbortController();
    const client = new RestClient({ url, token: 'secret' }, interrupted.signal);
    rejectionOf = () => ({ status: 429, headers: { 'retry-after': '3000' } });
    const ended = client.post('/items', new FormData(), 'key');
    while (client.waiting === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(client.waiting).toMatch(/: it answers 429, next attempt at \d\d:\d\d:\d\d$/);
    interrupted.abort();
    await expect(ended).rejects.toThrow('aborted');
  });

  it('reports the rate of the files that are sent, and the time that the others will take', () => {
    expect(progressLine(PROGRESS)).toBe('5 of 20 files, 500 bytes of 2.0 KiB, 2.5 files/s, 250 bytes/s, 7 s to go');
    const resumed = { ...PROGRESS, files: 15, filesKnown: 10, bytes: 1_536, bytesKnown: 1_036 };
    expect(progressLine(resumed)).toBe('15 of 20 files, 1.5 KiB of 2.0 KiB, 2.5 files/s, 250 bytes/s, 3 s to go');
    const skipped = { ...PROGRESS, filesKnown: 5, bytesKnown: 500 };
    expect(progressLine(skipped)).toBe('5 of 20 files, 500 bytes of 2.0 KiB');
  });

  it('reports on a dry run what it would do, and leaves nothing behind', async () => {
    const { code, report } = await run('--dry-run');
    expect(code).toBe(EXIT.ok);
    expect(report).toMatchObject({
      files: [{ path: 'a.txt' }, { path: 'b.md' }, { path: 'sub/c.csv' }],
      known: 0,
      failed: [],
      skipped: {},
    });
    expect(seen).toEqual([]);
    expect(existsSync(join(dir, 'home'))).toBe(false);
  });

  it('lists on a dry run the files that the server would reject, with the reason, and leaves them out', async () => {
    writeFileSync(join(root, 'broken.pdf'), 'This is no PDF.');
    writeFileSync(join(root, 'cut-off.docx'), Buffer.from('504b0304deadbeef', 'hex'));
    writeFileSync(join(root, 'empty.md'), ' \n');
    writeFileSync(join(root, 'latin.txt'), Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]));
    writeFileSync(join(root, 'long.txt'), 'x'.repeat(ITEM_TEXT_CHARS_MAX + 1));
    const { code, report } = await run('--dry-run');
    expect(code).toBe(EXIT.partial);
    const { files, failed } = report as { files: { path: string }[]; failed: FailedFile[] };
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'b.md', 'sub/c.csv']);
    expect(Object.fromEntries(failed.map(({ path, code: reason }) => [path, reason]))).toEqual({
      'broken.pdf': 'file.unreadable',
      'cut-off.docx': 'file.unreadable',
      'empty.md': 'file.unreadable',
      'latin.txt': 'file.unreadable',
      'long.txt': 'input.too_large',
    });
    expect(failed.find(({ path }) => path === 'long.txt')?.message).toContain(`at most ${ITEM_TEXT_CHARS_MAX}`);
    expect(seen).toEqual([]);
  });

  it('reports on a dry run which files are already imported and which have changed since', async () => {
    const { report } = await run();
    const journal = String(report['journal']);
    writeFileSync(journal, readFileSync(journal, 'utf8').trimEnd());
    const before = readFileSync(journal, 'utf8');
    writeFileSync(join(root, 'a.txt'), 'changed');
    expect(await start(['--dry-run'])).toEqual({
      code: EXIT.ok,
      out: ['would import a.txt (7 bytes)', '1 to import (7 bytes), 2 imported before, 0 would fail'],
    });
    expect(await run('--dry-run', '--tags', 'new')).toMatchObject({ report: { files: Array(3).fill({}), known: 0 } });
    expect([seen.length, readFileSync(journal, 'utf8')]).toEqual([3, before]);
  });

  it.each([
    ['a folder that is not there', ['--folder', 'nowhere']],
    ['a bad tag', ['--tags', 'a b']],
    ['a bad number', ['--concurrency', '0']],
  ])('refuses %s', async (_, options) => {
    await expect(run(...options)).rejects.toThrow(UsageError);
    expect(seen).toEqual([]);
  });

  it('keeps the journal in the given file', async () => {
    const journal = join(dir, 'elsewhere', 'journal');
    await run('--journal', journal);
    appendFileSync(journal, 'nonsense\n');
    expect(await run('--journal', journal)).toMatchObject({ report: { known: 3, journal } });
  });
});
