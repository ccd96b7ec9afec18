import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCluster, type Cluster, type ServiceName, type ServiceProcess } from '@cairn/local-servers';
import {
  appendsOf,
  holdsLease,
  ReadyGateways,
  rollingRestart,
  rollOut,
  SteadyLoad,
  testCacheDir,
  untilSettled,
  writeNextRelease,
} from '@cairn/testing';

/** Few, because eight services, their servers and other suites share the processors. */
const CALLS_PER_SECOND = 5;
const SETTLE_MS = 60_000;
const OWN_ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const temporary = (): string => mkdtempSync(join(tmpdir(), 'cairn-rolling-'));
const NOTHING_BROKEN = { failures: [], lost: [], doubled: [], stalled: [], withoutVector: [] };

describe('a cluster with two replicas of each service', () => {
  const [dataDir, nextRelease, laterRelease] = [temporary(), temporary(), temporary()];
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({
      dataDir,
      cacheDir: testCacheDir(),
      javaHome: process.env['JAVA_HOME'],
      log: () => undefined,
      replicas: 2,
      serviceEnv: { CAIRN_STOP_DELAY_SECONDS: '0.5' },
    });
  }, 180_000);

  afterAll(async () => {
    await cluster?.stop();
    for (const dir of [dataDir, nextRelease, laterRelease]) rmSync(dir, { recursive: true, force: true });
  }, 60_000);

  it('fails, loses and doubles no call while every replica is restarted', async () => {
    const { replicas, token } = cluster;
    const load = new SteadyLoad({ gateways: replicas.gateway, token, callsPerSecond: CALLS_PER_SECOND });
    await load.start();
    const restarts = await rollingRestart(replicas);
    const { calls, stored, failures, lost, doubled } = await load.stop();
    expect({ failures, lost, doubled }).toEqual({ failures: [], lost: [], doubled: [] });
    expect(restarts.map(({ name, exitCode }) => [name, exitCode])).toEqual(
      ['ingest', 'search', 'embedder', 'gateway'].flatMap((name) => [
        [name, 0],
        [name, 0],
      ]),
    );
    expect(calls).toBeGreaterThan(stored);
    expect(stored).toBeGreaterThan(0);
  }, 180_000);

  /** The ingest that runs the projectors, and the one that stands by. */
  const ingests = async (): Promise<{ readonly holder: ServiceProcess; readonly standby: ServiceProcess }> => {
    const [first, second] = cluster.replicas.ingest;
    for (;;) {
      const held = [await holdsLease(first!), await holdsLease(second!)];
      if (held[0] !== held[1])
        return held[0] ? { holder: first!, standby: second! } : { holder: second!, standby: first! };
    }
  };

  /** Each load has a workspace of its own, since all of them use the same titles. */
  const newToken = async (slug: string): Promise<string> => {
    const headers = { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ slug, name: slug });
    const response = await fetch(`${cluster.url}/api/v1/workspaces`, { method: 'POST', headers, body });
    return ((await response.json()) as { adminToken: string }).adminToken;
  };

  const storesWhile = async (slug: string, work: (stored: () => Promise<void>) => Promise<void>) => {
    const { replicas } = cluster;
    const token = await newToken(slug);
    const load = new SteadyLoad({ gateways: replicas.gateway, token, callsPerSecond: CALLS_PER_SECOND });
    await load.start();
    /** Resolves when further stores were acknowledged. */
    const stored = async (): Promise<void> => {
      const before = load.stored;
      await replicas.gateway[0]!.app.until(() => load.stored >= before + 3);
    };
    await stored();
    await work(stored);
    return load.stop();
  };

  it('goes on storing when the ingest that projects is killed: the other takes over, nothing is lost or doubled', async () => {
    const { holder, standby } = await ingests();
    const { lost, doubled } = await storesWhile('killed', async (stored) => {
      await holder.app.end('SIGKILL');
      await standby.app.until(() => holdsLease(standby));
      await stored();
    });
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    const { ok, conflicts } = await appendsOf([standby]);
    expect(ok).toBeGreaterThan(0);
    expect(conflicts).toBeLessThan(ok / 10);
    await holder.start();
    expect(await holdsLease(holder)).toBe(false);
  }, 90_000);

  it('fails no call when the ingest that projects stops: the other takes over', async () => {
    const { holder, standby } = await ingests();
    const { failures, lost, doubled } = await storesWhile('stopped', async (stored) => {
      expect(await holder.end('SIGTERM')).toBe(0);
      await standby.app.until(() => holdsLease(standby));
      await stored();
    });
    expect({ failures, lost, doubled }).toEqual({ failures: [], lost: [], doubled: [] });
    await holder.start();
  }, 90_000);

  const cairn = (root: string, ...args: string[]) =>
    run(process.execPath, [join(root, 'apps/cli/bin/cairn.mjs'), ...args], {
      env: { ...process.env, ...cluster.envOf('cli') },
    });
  /** A warm-up that is killed goes on where it stopped. */
  const warmUp = async (root: string): Promise<string> => {
    for (const killedAfterMs of [300, 900, 1_500]) {
      const warming = cairn(root, 'oplog', 'warm-up');
      const killer = setTimeout(() => warming.child.kill('SIGKILL'), killedAfterMs);
      await warming.catch(() => undefined);
      clearTimeout(killer);
    }
    return (await cairn(root, 'oplog', 'warm-up')).stdout;
  };
  /** Asks again and again, until it is stopped: what was not as expected. */
  const whileAsking = async (
    work: () => Promise<void>,
    wrong: () => Promise<string | undefined>,
  ): Promise<string[]> => {
    const found: string[] = [];
    let isDone = false;
    const asking = (async () => {
      while (!isDone) {
        const problem = await wrong().catch((thrown: unknown) => String(thrown));
        if (problem !== undefined) found.push(problem);
        await delay(100);
      }
    })();
    await work().finally(() => (isDone = true));
    await asking;
    return found;
  };

  it('is upgraded to a release with another read model and new fields, and rolled back, and no call shows it', async () => {
    writeNextRelease(nextRelease, { newReadModel: true });
    const { replicas, token, url } = cluster;
    const revoked = await newToken('revoked');
    const rest = (path: string, bearer: string, method = 'GET') =>
      fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${bearer}` } });
    const { tokenId } = (await (await rest('/whoami', revoked)).json()) as { tokenId: string };
    expect((await rest(`/tokens/${tokenId}`, revoked, 'DELETE')).status).toBe(204);
    const balancer = new ReadyGateways(replicas.gateway);
    const wrong = async (): Promise<string | undefined> => {
      const ask = async (path: string, bearer: string) =>
        fetch(`${balancer.next().url}/api/v1${path}`, { headers: { authorization: `Bearer ${bearer}` } });
      const [refused, folders] = [await ask('/items', revoked), await ask('/folders', token)];
      if (refused.status !== 401) return `a revoked token got ${refused.status}`;
      const listed = folders.status === 200 ? ((await folders.json()) as { items: unknown[] }).items.length : 0;
      return listed > 0 ? undefined : `the folders were answered with ${folders.status} and ${listed}`;
    };
    expect(await warmUp(nextRelease)).toContain('library');
    const load = new SteadyLoad({ gateways: replicas.gateway, token, callsPerSecond: 5, titles: 'Upgrade' });
    await load.start();
    const problems = await whileAsking(async () => {
      await rollOut(replicas, nextRelease);
      await rollOut(replicas, OWN_ROOT);
    }, wrong);
    const { failures, lost, doubled } = await load.stop();
    await balancer.close();
    const { stalled, withoutVector } = await untilSettled({ url, token, timeoutMs: SETTLE_MS });
    expect({ problems, failures, lost, doubled, stalled, withoutVector }).toEqual({ problems: [], ...NOTHING_BROKEN });
    const replay = JSON.parse((await cairn(OWN_ROOT, 'oplog', 'replay', 'library', '--json')).stdout);
    expect(replay).toMatchObject({ equal: true });
  }, 300_000);

  it('keeps items for a newer embedder that the others cannot read, and says so', async () => {
    writeNextRelease(laterRelease, { newVersion: true });
    const { replicas, token, url } = cluster;
    const store = async (title: string): Promise<void> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ title, text: `About ${title}.` });
      expect((await fetch(`${url}/api/v1/items`, { method: 'POST', headers, body })).status).toBe(201);
    };
    const become = async (name: ServiceName, root: string): Promise<void> => {
      for (const replica of replicas[name]) await replica.end('SIGTERM');
      for (const replica of replicas[name]) await replica.start(root);
    };
    const heldBy = async (): Promise<boolean> => {
      const pages = await Promise.all(replicas.embedder.map(({ opsUrl }) => fetch(`${opsUrl}/metrics`)));
      const texts = await Promise.all(pages.map((page) => page.text()));
      return texts.some((text) => /^cairn_embedding_held_total [1-9]/m.test(text));
    };
    await become('ingest', laterRelease);
    await store('of a later release');
    await replicas.embedder[0]!.app.until(heldBy);
    await become('ingest', OWN_ROOT);
    await store('of this release');
    await become('embedder', laterRelease);
    expect(await untilSettled({ url, token, timeoutMs: SETTLE_MS })).toEqual({ stalled: [], withoutVector: [] });
    await become('embedder', OWN_ROOT);
  }, 240_000);

  it('still answers searches and the console while no ingest runs, and refuses to store', async () => {
    const { replicas, token, url, opsUrl } = cluster;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const rest = (method: string, path: string, body?: object) =>
      fetch(`${url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const params = { name: 'search_knowledge_base', arguments: { query: 'harbour', mode: 'keyword' } };
    for (const ingest of replicas.ingest) expect(await ingest.end('SIGTERM')).toBe(0);
    const found = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(((await found.json()) as any).result.structuredContent.hits.length).toBeGreaterThan(0);
    for (const path of ['/items', '/folders', '/status', '/projections', '/whoami'])
      expect((await rest('GET', path)).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
    expect((await rest('POST', '/items', { title: 'Not now', text: 'refused' })).status).toBe(503);
    const ready = await fetch(`${opsUrl}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', notes: ['ingest is unavailable'] }]);
    for (const ingest of replicas.ingest) await ingest.start();
    expect((await rest('POST', '/items', { title: 'Now', text: 'stored' })).status).toBe(201);
  }, 60_000);
});
