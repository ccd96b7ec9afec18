import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StandaloneProcess } from '@cairn/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canary, wordsBelow } from './canaries.js';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
/** As in docs/guides/restore.md: the one directory that is not restored. */
const LEDGER = join('nats', 'jetstream', '$G', 'streams', 'FORGOTTEN');

/**
 * A restore revives nothing: log, keys and database are restored to a state before something was forgotten, the forget
 * ledger is not, and forgotten content stays forgotten.
 */
describe('an earlier copy of a home', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-restore-'));
  const [home, copy] = [join(dir, 'home'), join(dir, 'copy')];
  let cairn: StandaloneProcess;

  const api = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`${cairn.run.url}/api/v1${path}`, init);
    return { httpStatus: answer.status, ...((await answer.json()) as object) };
  };
  const call = async (tool: string, args: object): Promise<any> => {
    const headers = {
      authorization: `Bearer ${cairn.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const params = { name: tool, arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const response = await fetch(cairn.run.mcpUrl, { method: 'POST', headers, body });
    return ((await response.json()) as any).result;
  };
  const cli = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [CAIRN, ...args], { env: { ...process.env, CAIRN_HOME: home } })).stdout;
  const isEmbedded = async (): Promise<boolean> =>
    (await api('GET', '/items?limit=100')).items.every((item: any) => item.embeddingStatus === 'ready');

  /** Replaces the home with the copy, except for the ledger; the database may be left out, to be rebuilt. */
  const restore = (withDatabase: boolean): void => {
    cpSync(join(home, LEDGER), join(dir, 'ledger'), { recursive: true });
    rmSync(home, { recursive: true });
    cpSync(copy, home, { recursive: true });
    if (!withDatabase) rmSync(join(home, 'postgres'), { recursive: true });
    rmSync(join(home, LEDGER), { recursive: true, force: true });
    cpSync(join(dir, 'ledger'), join(home, LEDGER), { recursive: true });
  };

  const words = { title: canary(), body: canary(), chunk: canary(), memory: canary() };
  const [bystander, sibling] = [canary(), canary()];
  const ids = { item: '', parts: '', chunk: '', stays: '', receipt: '' };

  beforeAll(async () => {
    cairn = await StandaloneProcess.start(home);
    const item = await api('POST', '/items', {
      title: `About ${words.title}`,
      text: `The word ${words.body} is here.`,
    });
    const filler = Array.from({ length: 30 }, (_, i) => `Sentence ${i} fills this part of the text.`).join(' ');
    const text = [sibling, words.chunk, 'nothing'].map((word) => `${word}. ${filler}`).join('\n\n');
    const parts = await api('POST', '/items', { title: 'Parts', text });
    const { chunks } = await api('GET', `/items/${parts.id}`);
    const chunk = chunks.find((one: any) => one.text.includes(words.chunk)).id;
    const stays = await api('POST', '/items', { title: 'Stays', text: `The word ${bystander} stays.` });
    const waits = await call('remember', { text: `Remember ${words.memory}.`, target_engram: 'Nowhere yet' });
    expect(waits.isError).toBe(true);
    const [waiting] = (await api('GET', '/confirmations')).items;
    await cairn.app.until(isEmbedded);
    await cairn.stop();
    cpSync(home, copy, { recursive: true });

    cairn = await StandaloneProcess.start(home);
    const { itemId } = await api('POST', `/confirmations/${waiting.id}`, { action: 'create' });
    const { receiptId } = await api('DELETE', `/items/${item.id}`);
    await api('DELETE', `/chunks/${chunk}`);
    await api('DELETE', `/items/${itemId}`);
    Object.assign(ids, { item: item.id, parts: parts.id, chunk, stays: stays.id, receipt: receiptId });
    await cli('forget', 'purge');
    expect(wordsBelow(home, words)).toEqual([]);
  }, 120_000);
  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const expectInvisible = async (word: string): Promise<void> => {
    for (const [tool, args] of [
      ['search_knowledge_base', { mode: 'keyword' }],
      ['search_knowledge_base', { mode: 'hybrid' }],
      ['search_knowledge', {}],
      ['recall', { minScore: 0 }],
    ] as const) {
      let answer: any;
      // The model may still be loading, and until then recall does not work.
      await cairn.app.until(async () => !(answer = await call(tool, { query: word, ...args })).isError);
      expect([tool, JSON.stringify(answer.structuredContent).includes(word)]).toEqual([tool, false]);
    }
  };

  it.each([
    ['log, keys and database', true],
    ['log and keys alone', false],
  ])(
    '[N-59] with %s does not bring back what was forgotten since, by any tool or in any file',
    async (_, withDatabase) => {
      await cairn.stop();
      restore(withDatabase);
      const brought = new Set(wordsBelow(home, words).map((line) => line.split(' ')[0]));
      expect(brought).toEqual(new Set(withDatabase ? ['title', 'body', 'chunk'] : []));
      cairn = await StandaloneProcess.start(home);
      // Checked immediately: nothing is waited for after the start.
      for (const word of Object.values(words)) await expectInvisible(word);
      expect((await api('GET', `/items/${ids.item}`)).httpStatus).toBe(404);
      expect((await api('GET', '/confirmations')).items).toEqual([]);
      expect(JSON.stringify((await api('GET', `/items/${ids.parts}`)).chunks)).toContain(sibling);
      const found = await call('search_knowledge_base', { query: bystander, mode: 'keyword' });
      expect(found.structuredContent.hits).toEqual([expect.objectContaining({ itemId: ids.stays })]);

      await cli('forget', 'purge');
      expect(wordsBelow(home, words)).toEqual([]);
      expect(wordsBelow(home, { bystander, sibling })).not.toEqual([]);
      expect(JSON.parse(await cli('oplog', 'verify', '--json'))).toMatchObject({ findings: [] });
      for (const id of [ids.item, ids.chunk]) {
        const report = JSON.parse(await cli('forget', 'verify', '--id', id, '--json'));
        expect(report).toMatchObject({ left: 0, forgettings: [{ receipt: 'valid' }] });
      }
      // A caller with the id of the first receipt still finds it.
      expect(await api('GET', `/receipts/${ids.receipt}`)).toMatchObject({ status: 'issued' });
      for (const projection of ['library', 'vectors'])
        expect(JSON.parse(await cli('oplog', 'replay', projection, '--json'))).toMatchObject({ equal: true });
      expect(wordsBelow(home, words)).toEqual([]);
    },
    180_000,
  );
});
