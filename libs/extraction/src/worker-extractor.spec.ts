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

  it('finds what the rules find in process, over many batches and callers at once', async () => {
    const extractor = open();
    const expected = await new RulesExtractor().extract(chunks);
    const answers = await Promise.all([extractor.extract(chunks), extractor.extract(chunks.slice(0, 5))]);
    expect(answers).toEqual([expected, expected.slice(0, 5)]);
  });

  it('starts another thread when one has ended, and repeats what was in work', async () => {
    const extractor = open();
    const expected = await new RulesExtractor().extract(chunks);
    expect(await extractor.extract(chunks)).toEqual(expected);
    const working = extractor.extract(chunks);
    await extractor.crash();
    expect(await working).toEqual(expected);
    await extractor.crash();
    expect(await extractor.extract(chunks.slice(0, 3))).toEqual(expected.slice(0, 3));
  });

  it('reports a batch that ends every thread, and goes on with the next one', async () => {
    const threadFile = threadOf(`parentPort.on('message', ({ chunks }) => {
      if (chunks[0].text === 'bad') process.exit(1);
      parentPort.postMessage({ findings: chunks.map(() => ({ mentions: [], edges: [] })) });
    });`);
    const extractor = open({ threadFile });
    const [bad, good] = ['bad', 'good'].map((text) => extractor.extract([{ title: null, tags: [], text }]));
    await expect(bad).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(await good).toEqual([{ mentions: [], edges: [] }]);
  });

  it('ends a thread that does not answer', async () => {
    const extractor = open({ threadFile: threadOf(`parentPort.on('message', () => { for (;;); });`), batchMsMax: 50 });
    await expect(extractor.extract(chunks.slice(0, 1))).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('refuses work after it was closed', async () => {
    const extractor = open();
    await extractor.close();
    await expect(extractor.extract(chunks.slice(0, 1))).rejects.toMatchObject({ code: 'service.unavailable' });
  });
});
