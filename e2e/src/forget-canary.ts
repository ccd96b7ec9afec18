import { verify } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalJson } from '@cairn/op-log';
import { PROJECTIONS } from '@cairn/projections';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canary, wordsBelow } from './canaries.js';
import { graphWords, namesLeft, stateGraph, stateOfChunk } from './forget-canary-graph.js';

/** A running Cairn whose files can be read. */
export interface OpenCairn {
  readonly url: string;
  readonly mcpUrl: string;
  readonly token: string;
  /** Everything that it writes is below this directory. */
  readonly dataDir: string;
  /** The output of its processes. */
  output(): string;
  cli(...args: string[]): Promise<{ readonly stdout: string }>;
  /** Restarts it on the same data, if that is possible. */
  restart?(): Promise<OpenCairn>;
  stop(): Promise<void>;
}

/**
 * Forgotten content is in no file of any store, including the write-ahead log, and no replay brings it back. Words that
 * occur nowhere else are put into every place that takes text, and every file is searched for them.
 */
export const describeCanaries = (name: string, open: () => Promise<OpenCairn>): void => {
  describe(`forgotten content in ${name}`, () => {
    let cairn: OpenCairn;
    const graph = graphWords();
    const words = {
      ...graph,
      title: canary(),
      newTitle: canary(),
      body: canary(),
      tag: canary(),
      label: canary(),
      memory: canary(),
      oldText: canary(),
      newText: canary(),
      chunk: canary(),
      firstLine: canary(),
      seriesId: canary(),
      seriesCategory: canary(),
      rollupCategory: canary(),
    };
    /** Only ever stored as ciphertext, so it is not found before either. */
    const sealed = { sourceName: canary(), taskId: canary(), commitNote: canary() };
    const bystander = canary();
    const sibling = canary();
    const ids: { items: string[]; chunks: string[] } = { items: [], chunks: [] };

    const api = async (method: string, path: string, body?: object): Promise<any> => {
      const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const answer = await fetch(`${cairn.url}/api/v1${path}`, init);
      expect([path, answer.status < 300]).toEqual([path, true]);
      return answer.json();
    };
    const call = async (tool: string, args: object): Promise<any> => {
      const response = await fetch(cairn.mcpUrl, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${cairn.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
      });
      const { result } = (await response.json()) as any;
      expect([tool, result.isError ?? false, result.structuredContent]).toEqual([tool, false, expect.anything()]);
      return result.structuredContent;
    };

    const reach = { api, call };

    /** Rows of a series: one stays a row until it is forgotten, one becomes a roll-up, and both are forgotten. */
    const storeSeries = async (): Promise<string[]> => {
      const { id } = await api('POST', '/accounts', { connectorId: 'tidal', label: 'Listens' });
      const form = new FormData();
      const listens = [
        'id,listened_at,artist,listen_seconds',
        `${words.seriesId},2026-02-01,${words.seriesCategory},60`,
        `1,2026-01-01,${words.rollupCategory},60`,
      ].join('\n');
      form.append('file', new Blob([listens]), 'listens.csv');
      const headers = { authorization: `Bearer ${cairn.token}` };
      const answer = await fetch(`${cairn.url}/api/v1/accounts/${id}/import`, { method: 'POST', headers, body: form });
      expect(await answer.json()).toMatchObject({ rows: 2, items: 2 });
      expect(await api('POST', `/accounts/${id}/purge`, { before: '2026-02-01' })).toMatchObject({ rows: 1 });
      const { items } = await api('GET', '/items?inKb=false&limit=100');
      return items.filter(({ kind }: any) => ['observations', 'rollup'].includes(kind)).map((item: any) => item.id);
    };

    const found = (wanted: Readonly<Record<string, string>>): string[] => wordsBelow(cairn.dataDir, wanted);

    const placesFound = (wanted: Readonly<Record<string, string>>): string[] =>
      [...new Set(found(wanted).map((line) => line.split(' ')[0]!))].sort();

    beforeAll(async () => {
      cairn = await open();
    }, 240_000);
    afterAll(() => cairn?.stop(), 60_000);

    it('was in the files of the indexes before', async () => {
      const first = await api('POST', '/items', {
        title: `About ${words.title}`,
        text: `The word ${words.body} is here.`,
        tags: [words.tag],
        source: { name: sealed.sourceName },
      });
      await api('PATCH', `/items/${first.id}`, { title: `Now about ${words.newTitle}` });
      const memory = await call('remember', { text: `Remember ${words.memory}.`, label: words.label });
      const third = await api('POST', '/items', { title: 'Corrected', text: `The port is ${words.oldText}.` });
      const { correctionId } = await call('correct', {
        chunkId: third.chunkIds[0],
        proposal: `replace ${words.oldText} with ${words.newText}`,
      });
      await call('apply', { correctionId });
      const filler = Array.from({ length: 30 }, (_, i) => `Sentence ${i} fills this part of the text.`).join(' ');
      const text = [sibling, words.chunk, 'nothing'].map((word) => `${word}. ${filler}`).join('\n\n');
      const fourth = await api('POST', '/items', { title: 'Parts', text });
      await api('POST', '/items', { title: 'Stays', text: `The word ${bystander} stays.` });
      // Without a label, so its title is derived from its first line.
      const untitled = await call('remember', { text: `${words.firstLine}. ${filler}\n\n${filler}` });
      const taskRef = { taskId: sealed.taskId, kind: 'produced' };
      const fifth = await call('store_knowledge', { title: 'Linked', body: 'to a task', taskRef });
      await api('POST', '/folders', { slug: 'runs', name: 'Runs' });
      const stated = await stateGraph(reach, graph, sealed.commitNote);
      ids.items = [first.id, memory.sourceId, third.id, fifth.id, ...stated, ...(await storeSeries())];
      const { chunks } = await api('GET', `/items/${fourth.id}`);
      const [head] = (await api('GET', `/items/${untitled.sourceId}`)).chunks;
      ids.chunks = [chunks.find((chunk: any) => chunk.text.includes(words.chunk)).id, head.id];
      await stateOfChunk(reach, graph, ids.chunks[0]!);
      for (;;) {
        const { items } = await api('GET', '/items?limit=100');
        if (items.every((item: any) => item.embeddingStatus === 'ready')) break;
        await delay(100);
      }
      expect(placesFound(words)).toEqual(Object.keys(words).sort());
      expect(found(sealed)).toEqual([]);
    }, 120_000);

    it('[N-59] is in no file once it is purged, while other content is', async () => {
      // Versions that are built before the forgetting, and that no projector follows.
      for (const { name } of PROJECTIONS) await cairn.cli('oplog', 'replay', name);
      for (const sourceId of ids.items) await call('forget', { sourceId });
      for (const chunkId of ids.chunks) await call('forget', { chunkId });
      const { stdout } = await cairn.cli('forget', 'purge');
      // Plus the batch of rows that the roll-up replaced.
      expect(stdout).toContain(`purged: ${ids.items.length + ids.chunks.length + 1}`);
      expect(found({ ...words, ...sealed })).toEqual([]);
      expect(placesFound({ bystander, sibling })).toEqual(['bystander', 'sibling']);
      expect(Object.values({ ...words, ...sealed }).filter((word) => cairn.output().includes(word))).toEqual([]);
    }, 180_000);

    it('[N-59] is confirmed by a signed receipt and by a check of every store', async () => {
      const { publicKey, keyId } = await api('GET', '/receipts/key');
      const isSigned = (signed: object, signature: string): boolean =>
        verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(signature, 'base64'));
      for (const id of [...ids.items, ...ids.chunks]) {
        const report = JSON.parse((await cairn.cli('forget', 'verify', '--id', id, '--json')).stdout);
        expect(report).toMatchObject({ left: 0, forgettings: [{ receipt: 'valid', stores: expect.any(Array) }] });
        const stores = report.forgettings[0].stores.map(({ store }: any) => store);
        expect(stores).toEqual(expect.arrayContaining(PROJECTIONS.map(({ name: projection }) => projection)));
        const { status, receipt } = await api('GET', `/receipts/${report.forgettings[0].receiptId}`);
        expect([status, receipt.keyId]).toEqual(['issued', keyId]);
        expect(receipt.stores.map(({ store }: any) => store)).toEqual(stores);
        const { signature, ...signed } = receipt;
        expect(isSigned(signed, signature)).toBe(true);
        expect(isSigned({ ...signed, issuedAt: signed.forgottenAt }, signature)).toBe(false);
      }
      const unknown = cairn.cli('forget', 'verify', '--id', '00000000-0000-7000-8000-000000000000');
      await expect(unknown).rejects.toMatchObject({ code: 2 });
    }, 300_000);

    it('[N-59] leaves holes that the verifier of the log can explain, and no replay brings it back', async () => {
      const verified = await cairn.cli('oplog', 'verify');
      expect(verified.stdout).toContain('verified');
      expect(verified.stdout).toMatch(/\d+ ops? erased/);
      for (const { name: projection } of PROJECTIONS) {
        const replayed = JSON.parse((await cairn.cli('oplog', 'replay', projection, '--json')).stdout);
        expect(replayed).toMatchObject({ projection, equal: true });
        await cairn.cli('oplog', 'promote', projection, '--yes');
      }
      expect((await cairn.cli('oplog', 'verify')).stdout).toContain('verified');
      expect(found({ ...words, ...sealed })).toEqual([]);
    }, 180_000);

    it('stays forgotten after a restart', async () => {
      if (cairn.restart) cairn = await cairn.restart();
      expect(found({ ...words, ...sealed })).toEqual([]);
      const { hits } = await call('search_knowledge_base', { query: words.body, mode: 'keyword' });
      expect(hits).toEqual([]);
      const stays = await call('search_knowledge_base', { query: bystander, mode: 'keyword' });
      expect(stays.hits).toHaveLength(1);
      expect(await namesLeft(reach, graph)).toEqual([]);
    }, 180_000);
  });
};
