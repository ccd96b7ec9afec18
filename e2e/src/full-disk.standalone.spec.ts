import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

const RECOVERY_MS = 30_000;
const DISK = 'size=400m';
/** More than the broker needs for a while, and less than the 16 MiB that Postgres needs for its next segment. */
const LEFT_BYTES = 8 * 1_048_576;

/** A disk that can be filled. Root mounts a small one; other users limit the size of the broker's files. */
interface SmallDisk {
  /** False if the broker finds room as soon as it is restarted. */
  readonly staysFull: boolean;
  fill(cairn: StandaloneProcess, leftBytes: number): void;
  free(): void;
  remove(): void;
}

const mountedDisk = (dir: string): SmallDisk => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', dir]);
  const file = join(dir, 'fill');
  return {
    staysFull: true,
    fill: (_cairn, leftBytes) => {
      const fd = openSync(file, 'a');
      try {
        for (;;) writeSync(fd, Buffer.alloc(65_536));
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'ENOSPC' });
      } finally {
        closeSync(fd);
      }
      truncateSync(file, statSync(file).size - leftBytes);
    },
    free: () => rmSync(file),
    remove: () => execFileSync('umount', [dir]),
  };
};

/** The limit ends with its process, so there is nothing to free. */
const limitedFiles = (): SmallDisk => ({
  staysFull: false,
  fill: (cairn) => execFileSync('prlimit', ['--pid', String(cairn.run.childPids.nats), '--fsize=4096:4096']),
  free: () => undefined,
  remove: () => undefined,
});

describe('the standalone profile on a full disk', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-full-'));
  const disk = process.getuid?.() === 0 ? mountedDisk(dir) : limitedFiles();
  const acknowledged: string[] = [];
  let cairn: StandaloneProcess;

  /**
   * Status 0: the connection was lost, which says nothing about the request. A separate check shows that the product is
   * alive.
   */
  const request = (method: string, path: string, body?: unknown) =>
    send(method, path, body).catch(() => ({ status: 0, body: {} as Loose }));
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${cairn.run.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Loose };
  };
  const store = async () => {
    const title = `Note ${acknowledged.length}`;
    const answer = await request('POST', '/items', { title, text: `${title} has words. `.repeat(1_000) });
    if (answer.status === 201) acknowledged.push(answer.body.id);
    return answer;
  };
  const untilRefused = async () => {
    for (;;) {
      const answer = await store();
      expect(cairn.app.hasEnded).toBe(false);
      if (answer.status !== 201 && answer.status !== 0) return answer;
    }
  };
  const broker = async () => {
    const { body } = await request('GET', '/status');
    return body.components?.find(({ name }: Loose) => name === 'nats');
  };
  const readyz = async () => (await fetch(`${cairn.run.url}/readyz`)).status;
  const reportsFullDisk = async (): Promise<void> => {
    await cairn.app.until(async () => (await broker())?.ok === false, RECOVERY_MS);
    expect(await broker()).toMatchObject({ note: expect.stringContaining('the disk is full') });
    await cairn.app.until(async () => (await readyz()) === 503, RECOVERY_MS);
    expect((await store()).body).toMatchObject({ error: { message: expect.stringContaining('the disk is full') } });
  };
  const recovers = async (): Promise<void> => {
    disk.free();
    await cairn.app.until(async () => (await store()).status === 201, RECOVERY_MS);
    for (const id of acknowledged) expect(await send('GET', `/items/${id}`)).toMatchObject({ status: 200 });
    expect(cairn.run.pid).toBe(cairn.app.pid);
    await cairn.app.until(async () => (await readyz()) === 200 && (await broker())?.ok === true, RECOVERY_MS);
  };

  beforeAll(async () => {
    cairn = await StandaloneProcess.start(join(dir, 'home'));
  });

  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    disk.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each([
    ['the broker', 0],
    ['the database', LEFT_BYTES],
  ])(
    'rejects writes as unavailable when %s cannot write, and accepts them again by itself',
    async (_part, leftBytes) => {
      await cairn.app.until(async () => (await store()).status === 201);
      disk.fill(cairn, leftBytes);
      const refused = await untilRefused();
      expect(refused).toMatchObject({
        status: 503,
        body: { error: { message: expect.stringContaining('try again') } },
      });
      if (leftBytes === 0 && disk.staysFull) await reportsFullDisk();
      await recovers();
    },
    180_000,
  );

  it('leaves a log without gaps', async () => {
    const cli = join(import.meta.dirname, '../../apps/cli/bin/cairn.mjs');
    const env = { ...process.env, CAIRN_HOME: cairn.home };
    const stdout = execFileSync(process.execPath, [cli, 'oplog', 'verify', '--json'], { env, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ findings: [] });
  });
});
