import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf, docxOf, docxOfBody, pdfOf, StandaloneProcess } from '@cairn/testing';
import { withinOneHour } from './under-test.js';

const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
/** More than the requests in flight hold, so that a run can be ended between them. */
const FILES = 1_500;
const MIB = 1_048_576;

/** Packed before anything runs: packing takes seconds, during which idle connections would be closed. */
const HOSTILE: readonly (readonly [string, string, Uint8Array])[] = [
  ['a .docx that unpacks to far too much', 'a.docx', docxOfBody(new Uint8Array(80 * MIB))],
  ['a PDF of 100 MB', 'a.pdf', pdfOf([], { streams: [deflateSync(Buffer.alloc(100 * MIB, 32))] })],
  ['HTML nested deep', 'a.html', bytesOf(`${'<div>'.repeat(20_000)}x`)],
  ['JSON nested deep', 'a.json', bytesOf('['.repeat(400_000))],
];

describe('importing a folder', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-import-'));
  const [home, files] = [join(dir, 'home'), join(dir, 'files')];
  let cairn: StandaloneProcess;

  const start = (...options: string[]) => {
    const child = spawn(process.execPath, [CAIRN, 'import', files, '--json', ...options], {
      env: { ...process.env, CAIRN_HOME: home, CAIRN_URL: '', CAIRN_TOKEN: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const ended = new Promise<number | string>((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal!)),
    );
    return { child, ended, output: () => err, report: () => JSON.parse(out || `{"error":${JSON.stringify(err)}}`) };
  };

  const journalLines = (): number => {
    const imports = join(home, 'imports');
    const names = existsSync(imports) ? readdirSync(imports) : [];
    const linesOf = (name: string): number => readFileSync(join(imports, name), 'utf8').split('\n').length - 1;
    return names.reduce((sum, name) => sum + linesOf(name), 0);
  };

  const until = async (check: () => boolean): Promise<void> => {
    const deadline = Date.now() + 60_000;
    while (!check()) {
      if (Date.now() > deadline) throw new Error('the import made no progress');
      await delay(5);
    }
  };

  const allItems = async (): Promise<{ id: string; title: string; source: { name: string } }[]> => {
    const items = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const response: Response = await fetch(`${cairn.run.url}/api/v1/items?limit=100&kind=file${query}`, {
        headers: { authorization: `Bearer ${cairn.token}` },
      });
      const page = (await response.json()) as any;
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  };

  beforeAll(async () => {
    mkdirSync(join(files, 'sub', '.hidden'), { recursive: true });
    for (let i = 0; i < FILES; i++)
      writeFileSync(join(files, i % 2 === 0 ? '' : 'sub', `note-${i}.md`), `# Note ${i}\n\nText of note ${i}.\n`);
    writeFileSync(join(files, 'picture.png'), 'x');
    writeFileSync(join(files, 'sub', 'broken.pdf'), 'no PDF');
    cairn = await StandaloneProcess.start(home);
  });

  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it('reports on a dry run which files the server would reject, with the same messages', async () => {
    const dry = start('--dry-run');
    expect(await dry.ended).toBe(3);
    const { files: fresh, failed } = dry.report();
    expect(fresh).toHaveLength(FILES);
    const form = new FormData();
    form.append('file', new Blob(['no PDF']), 'broken.pdf');
    const headers = { authorization: `Bearer ${cairn.token}` };
    const refused = await fetch(`${cairn.run.url}/api/v1/items`, { method: 'POST', headers, body: form });
    const { code, message } = ((await refused.json()) as any).error;
    expect(failed).toEqual([{ path: 'sub/broken.pdf', code, message }]);
  });

  it('survives being killed and interrupted, and stores every file exactly once', async () => {
    const killed = start();
    await until(() => journalLines() >= FILES / 6);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(journalLines()).toBeLessThan(FILES);

    const interrupted = start();
    await until(() => journalLines() >= FILES / 2);
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toBe(3);
    expect(interrupted.report()).toMatchObject({ stopped: 'interrupted', left: expect.any(Number) });

    const last = start();
    expect(await last.ended).toBe(3);
    const { imported, known, failed, skipped, left } = last.report();
    expect(imported + known).toBe(FILES);
    expect(known).toBeGreaterThanOrEqual(FILES / 2);
    expect([left, skipped]).toEqual([0, { 'unsupported (.png)': 1, hidden: 1 }]);
    expect(failed).toEqual([expect.objectContaining({ path: 'sub/broken.pdf', code: 'file.unreadable' })]);

    const items = await allItems();
    expect(items).toHaveLength(FILES);
    expect(new Set(items.map(({ source }) => source.name)).size).toBe(FILES);
    expect(items.map(({ source }) => source.name)).toContain('sub/note-1.md');

    rmSync(join(files, 'sub', 'broken.pdf'));
    rmSync(join(home, 'imports'), { recursive: true });
    const again = start();
    expect(await again.ended).toBe(0);
    expect(again.report()).toMatchObject({ imported: FILES, known: 0 });
    expect(await allItems()).toHaveLength(FILES);

    const dry = start('--dry-run');
    expect(await dry.ended).toBe(0);
    expect(dry.report()).toMatchObject({ files: [], known: FILES, failed: [] });
  }, 180_000);

  it('waits for a server that is killed and started again, and stores every file exactly once', async () => {
    const before = (await allItems()).length;
    const url = new URL(cairn.run.url);
    const running = start('--tags', 'again');
    const lines = journalLines();
    await until(() => journalLines() > lines + FILES / 6);
    await cairn.app.end('SIGKILL');
    cairn = await StandaloneProcess.start(home, { CAIRN_PORT: url.port });
    expect(await running.ended).toBe(0);
    expect(running.report()).toMatchObject({ imported: FILES, known: 0, failed: [], left: 0 });
    expect(await allItems()).toHaveLength(before + FILES);
  }, 180_000);

  const newToken = async (grant: object): Promise<string> => {
    const response = await fetch(`${cairn.run.url}/api/v1/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', isUnscoped: true, ...grant }),
    });
    return ((await response.json()) as { token: string }).token;
  };

  it('waits for the hour that allows more, and reports when that is', () => {
    const check = async (): Promise<void> => {
      const token = await newToken({ scopes: ['read', 'write'], restLimitPerHour: 250 });
      const before = (await allItems()).length;
      const limited = start('--token', token, '--tags', `t-${Date.now()}`);
      try {
        await until(() => limited.output().includes('it answers 429, next attempt at'));
      } finally {
        limited.child.kill('SIGINT');
      }
      expect(await limited.ended).toBe(3);
      expect(limited.report()).toMatchObject({ failed: [], stopped: 'interrupted' });
      const stored = (await allItems()).length - before;
      expect(stored).toBeGreaterThan(200);
      expect(stored).toBeLessThanOrEqual(250);
    };
    return withinOneHour(check);
  }, 180_000);

  it('reports which scope a read-only token lacks, and where to get a token that has it', async () => {
    const refused = start('--token', await newToken({ scopes: ['read'] }));
    expect(await refused.ended).toBe(1);
    expect(refused.report().error).toMatch(
      /^cairn: the token lacks the scope write at \S+: .* POST \/api\/v1\/tokens\n$/,
    );
  });

  it.each(HOSTILE)(
    'continues in the same process after %s',
    async (_, fileName, bytes) => {
      const { pid } = cairn.run;
      const send = (name: string, content: Uint8Array): Promise<Response> => {
        const form = new FormData();
        form.append('file', new Blob([content]), name);
        const headers = { authorization: `Bearer ${cairn.token}` };
        return fetch(`${cairn.run.url}/api/v1/items`, { method: 'POST', headers, body: form });
      };
      const refused = send(fileName, bytes);
      expect((await fetch(`${cairn.run.url}/healthz`)).status).toBe(200);
      expect(await (await refused).json()).toMatchObject({ error: { code: 'file.unreadable' } });
      expect((await send('b.docx', docxOf([{ text: 'still here' }]))).status).toBe(201);
      expect(cairn.run.pid).toBe(pid);
      expect(cairn.app.hasEnded).toBe(false);
    },
    90_000,
  );
});
