import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';

const CLIENTS = 50;
const WRITES = 2_000;
/** Shorter than the life of a clientToken, so it covers every retry. */
const GIVE_UP_MS = 50_000;
const KILLS = ['main', 'nats', 'postgres', 'nats', 'postgres', 'main'] as const;

/** Acknowledged writes, as reported to the clients. */
interface Acknowledged {
  readonly title: string;
  readonly id: string;
}

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

describe('the standalone profile when its processes are killed', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-death-'));
  let cairn: StandaloneProcess;
  let url: string;
  let token: string;

  const headers = () => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });

  /** One attempt; undefined if the product did not acknowledge it, for whatever reason. */
  const tryStore = async (args: Record<string, unknown>): Promise<string | undefined> => {
    try {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'store_knowledge', arguments: args },
      };
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: headers(),
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(20_000),
      });
      const body = (await response.json()) as {
        result?: { isError?: boolean; structuredContent: { id: string; retry?: boolean; code?: string } };
      };
      if (body.result?.isError) {
        if (body.result.structuredContent.retry !== true)
          throw new NotRetryable(JSON.stringify(body.result.structuredContent));
        return undefined;
      }
      return body.result?.structuredContent.id;
    } catch (thrown) {
      if (thrown instanceof NotRetryable) throw thrown;
      return undefined;
    }
  };

  const store = async (n: number): Promise<Acknowledged> => {
    const title = `write ${n}`;
    const args = { title, body: `The body of write number ${n}.`, clientToken: randomUUID() };
    const giveUp = Date.now() + GIVE_UP_MS;
    while (Date.now() < giveUp) {
      const id = await tryStore(args);
      if (id !== undefined) return { title, id };
      await delay(50);
    }
    throw new Error(`${title} was not acknowledged; the last lines of the product:\n${cairn.app.output.slice(-4_000)}`);
  };

  const allItems = async (): Promise<{ id: string; title: string }[]> => {
    const items: { id: string; title: string }[] = [];
    let cursor: string | null = null;
    do {
      const query = `limit=100${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page = (await (await fetch(`${url}/api/v1/items?${query}`, { headers: headers() })).json()) as {
        items: { id: string; title: string }[];
        nextCursor: string | null;
      };
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return items;
  };

  const restart = async (): Promise<void> => {
    cairn = await StandaloneProcess.start(home, { CAIRN_PORT: new URL(url).port });
  };

  const kill = async (victim: (typeof KILLS)[number]): Promise<void> => {
    if (victim === 'main') {
      await cairn.app.end('SIGKILL');
      await restart();
      return;
    }
    const before = cairn.run.childPids[victim];
    process.kill(before, 'SIGKILL');
    await cairn.app.until(() => cairn.run.childPids[victim] !== before);
  };

  beforeAll(async () => {
    cairn = await StandaloneProcess.start(home);
    url = cairn.run.url;
    token = cairn.token;
  });

  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('loses no acknowledged write and duplicates none, and a rebuild is identical', async () => {
    const acknowledged: Acknowledged[] = [];
    let next = 0;
    let isKilling = true;
    // The clients continue past the number of writes as long as there is a process left to kill.
    const client = async (): Promise<void> => {
      while (next < WRITES || isKilling) acknowledged.push(await store(next++));
    };
    const killer = async (): Promise<void> => {
      try {
        for (const victim of KILLS) {
          await delay(300 + Math.random() * 1_200);
          await kill(victim);
        }
      } finally {
        isKilling = false;
      }
    };
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(WRITES);

    const check = async (): Promise<void> => {
      const items = await allItems();
      const byId = new Map(items.map((item) => [item.id, item.title]));
      expect(acknowledged.filter(({ id, title }) => byId.get(id) !== title)).toEqual([]);
      expect(items).toHaveLength(acknowledged.length);
      expect(new Set(items.map(({ title }) => title)).size).toBe(items.length);
    };
    await check();

    const { stdout } = await run(process.execPath, [CAIRN, 'oplog', 'verify', '--json'], {
      env: { ...process.env, CAIRN_HOME: home },
    });
    expect(JSON.parse(stdout)).toMatchObject({ findings: [] });

    expect(await cairn.stop()).toBe(0);
    rmSync(join(home, 'postgres'), { recursive: true });
    await restart();
    expect(cairn.app.output).toContain('catching up with the op-log');
    await check();
  }, 300_000);
});

class NotRetryable extends Error {}
