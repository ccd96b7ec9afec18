import { execFile } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';
import { canary, wordsBelow } from './canaries.js';

const SOURCES = 40;
const CLIENTS = 4;
const GIVE_UP_MS = 60_000;
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

type Victim = 'main' | 'nats' | 'postgres';

/** The processes killed while sources are forgotten, and during the purge. */
const ROUNDS: readonly { readonly forgetting: readonly Victim[]; readonly purging: Victim }[] = [
  { forgetting: ['main', 'nats'], purging: 'postgres' },
  { forgetting: ['postgres'], purging: 'main' },
];

/** CAIRN_TEST_START repeats the same moments: mulberry32. */
const START = Number(process.env['CAIRN_TEST_START'] ?? randomInt(2 ** 31));
let state = START;
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const run = promisify(execFile);

describe('forgetting while processes are killed', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-forget-death-'));
  let cairn: StandaloneProcess;
  let url: string;

  const request = async (method: string, path: string, body?: object, key: string = randomUUID()): Promise<any> => {
    const headers = {
      authorization: `Bearer ${cairn.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const signal = AbortSignal.timeout(20_000);
    const init = { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`${url}/api/v1${path}`, init);
    if (answer.status >= 400 && answer.status < 500) throw new Refused(`${path}: ${await answer.text()}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };

  /** Acts as a client does: repeats the same request until it is answered. */
  const insist = async <T>(ask: () => Promise<T>): Promise<T> => {
    const giveUp = Date.now() + GIVE_UP_MS;
    for (;;) {
      try {
        return await ask();
      } catch (thrown) {
        if (thrown instanceof Refused || Date.now() > giveUp) throw thrown;
        await delay(50);
      }
    }
  };

  const cli = (args: readonly string[], signal?: AbortSignal) =>
    run(process.execPath, [CAIRN, ...args], { env: { ...process.env, CAIRN_HOME: home }, signal });
  const report = async (...args: string[]): Promise<any> => JSON.parse((await cli([...args, '--json'])).stdout);

  const kill = async (victim: Victim): Promise<void> => {
    if (victim === 'main') {
      await cairn.app.end('SIGKILL');
      cairn = await StandaloneProcess.start(home, { CAIRN_PORT: new URL(url).port });
      return;
    }
    const before = cairn.run.childPids[victim];
    process.kill(before, 'SIGKILL');
    await cairn.app.until(() => cairn.run.childPids[victim] !== before);
  };

  const forgetAll = async (ids: readonly string[], victims: readonly Victim[]): Promise<string[]> => {
    const [waiting, receiptIds] = [[...ids], [] as string[]];
    const client = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const key = randomUUID();
        const { receiptId } = await insist(() => request('DELETE', `/items/${id}`, undefined, key));
        receiptIds.push(receiptId);
        await delay(random() * 300);
      }
    };
    const killer = async (): Promise<void> => {
      for (const victim of victims) {
        await delay(random() * 600);
        await kill(victim);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
    return receiptIds;
  };

  /** A command that has lost its connection is run again, as a person would do. */
  const purge = async (victim: Victim): Promise<void> => {
    const lost = new AbortController();
    const first = cli(['forget', 'purge'], lost.signal).catch(() => undefined);
    await delay(500 + random() * 1_500);
    await kill(victim);
    lost.abort();
    await first;
    await insist(() => cli(['forget', 'purge']));
  };

  beforeAll(async () => {
    cairn = await StandaloneProcess.start(home);
    url = cairn.run.url;
  });
  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it(`[N-59] ends with nothing left and a receipt for each acknowledged forgetting (start value ${START})`, async () => {
    const words: Record<string, string> = {};
    const store = async (i: number): Promise<string> => {
      const [title, text] = [canary(), canary()];
      Object.assign(words, { [`title${i}`]: title, [`text${i}`]: text });
      return (await request('POST', '/items', { title: `About ${title}`, text: `The word ${text} is here.` })).id;
    };
    const ids = await Promise.all(Array.from({ length: SOURCES }, (_, i) => store(i)));
    const bystander = canary();
    await request('POST', '/items', { title: 'Stays', text: `The word ${bystander} stays.` });
    const isEmbedded = async (): Promise<boolean> =>
      (await request('GET', '/items?limit=100')).items.every((item: any) => item.embeddingStatus === 'ready');
    await cairn.app.until(isEmbedded);
    expect(new Set(wordsBelow(home, words).map((line) => line.split(' ')[0])).size).toBe(2 * SOURCES);

    const receiptIds: string[] = [];
    const share = SOURCES / ROUNDS.length;
    for (const [i, { forgetting, purging }] of ROUNDS.entries()) {
      receiptIds.push(...(await forgetAll(ids.slice(i * share, (i + 1) * share), forgetting)));
      await purge(purging);
    }

    expect(new Set(receiptIds).size).toBe(SOURCES);
    for (const receiptId of receiptIds) {
      const receipt = await request('GET', `/receipts/${receiptId}`);
      expect(receipt).toMatchObject({ status: 'issued', receipt: { signature: expect.any(String) } });
    }
    expect(wordsBelow(home, words)).toEqual([]);
    expect(wordsBelow(home, { bystander })).not.toEqual([]);

    expect(await report('oplog', 'verify')).toMatchObject({ findings: [] });
    for (const id of [ids[0]!, ids[SOURCES - 1]!])
      expect(await report('forget', 'verify', '--id', id)).toMatchObject({ left: 0, forgettings: [{ itemId: id }] });
    for (const projection of ['library', 'vectors']) {
      expect(await report('oplog', 'replay', projection)).toMatchObject({ projection, equal: true });
    }
    expect(wordsBelow(home, words)).toEqual([]);
  }, 180_000);
});

class Refused extends Error {}
