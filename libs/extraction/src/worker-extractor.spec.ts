import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findingsExtractorContract } from './findings-extractor.contract.js';
import { readLabelledTexts } from './labelled-texts.builder.js';
import { RulesExtractor } from './rules-extractor.js';
import { WorkerExtractor, type WorkerExtractorOptions } from './worker-extractor.js';

findingsExtractorContract('WorkerExtractor', () => new WorkerExtractor());

describe('WorkerExtractor', () => {
  const opened: WorkerExtractor[] = [];
  const open = (options?: WorkerExtractorOptions): WorkerExtractor => {
    const extractor = new WorkerExtractor(options);
    opened.push(extractor);
    return extractor;
  };
  afterEach(() => Promise.all(opened.splice(0).map((extractor) => extractor.close())));

  const chunks = readLabelledTexts('development').map(({ title, text }) => ({ title, tags: ['notes'], text }));
  const threadOf = (program: string): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'cairn-extraction-')), 'thread.mjs');
    writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${program}`);
    return file;
  };

  it('returns the same findings as the rules in process, across many batches and concurrent callers', async () => {
    const extractor = open();
    const expected = await new RulesExtractor().extract(chunks);
    const answers = await Promise.all([extractor.extract(chunks), extractor.extract(chunks.slice(0, 5))]);
    expect(answers).toEqual([expected, expected.slice(0, 5)]);
  });

  it('starts another thread when one has ended, and repeats the batch in progress', async () => {
    const extractor = open();
    const expected = await new RulesExtractor().extract(chunks);
    expect(await extractor.extract(chunks)).toEqual(expected);
    const working = extractor.extract(chunks);
    await extractor.crash();
    expect(await working).toEqual(expected);
    await extractor.crash();
    expect(await extractor.extract(chunks.slice(0, 3))).toEqual(expected.slice(0, 3));
  });

  /** A thread that ends at the text "bad", and at more than eight texts at once. */
  const fragileThread = (): string =>
    threadOf(`parentPort.on('message', ({ chunks }) => {
      if (chunks.length > 8 || chunks.some(({ text }) => text === 'bad')) process.exit(1);
      parentPort.postMessage({ findings: chunks.map(({ text }) => ({ mentions: [], edges: [], text })) });
    });`);
  const texts = (...list: readonly string[]) => list.map((text) => ({ title: null, tags: [], text }));
  const numbered = Array.from({ length: 35 }, (_, n) => `text ${n}`);

  it('names a chunk that ends every thread, which is a defect, and continues with the next call', async () => {
    const extractor = open({ threadFile: fragileThread() });
    const [bad, good] = [texts(...numbered, 'bad', 'x'), texts('good')].map((call) => extractor.extract(call));
    await expect(bad).rejects.toMatchObject({ code: 'internal.defect', details: { index: 35 } });
    expect(await good).toMatchObject([{ text: 'good' }]);
  });

  it('reads a batch that is too much for a thread in parts', async () => {
    const findings = await open({ threadFile: fragileThread() }).extract(texts(...numbered));
    expect(findings).toMatchObject(numbered.map((text) => ({ text })));
  });

  it('terminates a thread that does not answer', async () => {
    const extractor = open({ threadFile: threadOf(`parentPort.on('message', () => { for (;;); });`), batchMsMax: 50 });
    await expect(extractor.extract(chunks.slice(0, 1))).rejects.toMatchObject({
      code: 'internal.defect',
      cause: { message: expect.stringContaining('more than 50 ms') },
    });
  });

  it('reports how long each batch of 32 chunks took', async () => {
    const seconds: number[] = [];
    const extractor = open({ onBatch: (took) => seconds.push(took) });
    await extractor.extract(chunks.slice(0, 33));
    expect(seconds).toHaveLength(2);
    expect(seconds.every((took) => took > 0)).toBe(true);
  });

  it('refuses work after it is closed', async () => {
    const extractor = open();
    await extractor.close();
    await expect(extractor.extract(chunks.slice(0, 1))).rejects.toMatchObject({ code: 'service.unavailable' });
  });
});
