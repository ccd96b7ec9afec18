import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FILE_INFLATED_BYTES_MAX, FILE_PARSE_MEMORY_BYTES_MAX, FILE_PARSE_OVERSHOOT_BYTES } from '@cairn/contracts';
import { bytesOf, docxOf, docxOfBody, pdfOf } from '@cairn/testing';
import { DocumentParser } from './document-parser.js';

const MIB = 1_048_576;

/** Less time than in the product: a file that only the time limit stops would slow the tests. */
const LIMITS = { parseMs: 6_000, waitingPerWorkspace: 64, waitingPerToken: 64 };
const CALLER = { workspaceId: 'workspace', tokenId: 'token' };

let parser = new DocumentParser(LIMITS);
afterEach(async () => {
  await parser.close();
  parser = new DocumentParser(LIMITS);
});

/** The same bytes, with every entry of the archive claiming to unpack to one byte. */
const lyingAboutSizes = (zip: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(zip);
  for (let at = bytes.indexOf('PK\u0001\u0002'); at >= 0; at = bytes.indexOf('PK\u0001\u0002', at + 4))
    bytes.writeUInt32LE(1, at + 24);
  return new Uint8Array(bytes);
};

const bomb = docxOfBody(new Uint8Array(FILE_INFLATED_BYTES_MAX + 1));
const xml = '<w:p>'.repeat(200_000);
const pdfStream = (content: string): Uint8Array => pdfOf([], { streams: [deflateSync(Buffer.from(content))] });

/** The most memory that each child process has had so far. One that has just ended has no figure. */
const childPeaks = (): number[] => {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return pids.map((pid) => {
    try {
      return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
    } catch {
      return 0;
    }
  });
};

describe('a hostile file', () => {
  it.each([
    ['a .docx that unpacks to too much', 'a.docx', () => bomb, 'unpacks to more than 67108864 bytes'],
    ['a .docx that lies about its sizes', 'a.docx', () => lyingAboutSizes(bomb), 'unpacks to more than 67108864 bytes'],
    ['a deeply nested .docx', 'a.docx', () => docxOfBody(xml), ''],
    ['a PDF of 100 MB of nothing', 'a.pdf', () => pdfStream(' '.repeat(100_000_000)), ''],
    [
      'a PDF of 100 MB of text',
      'a.pdf',
      () => pdfStream(`BT /F1 9 Tf ${'1 0 0 1 72 720 Tm (word) Tj '.repeat(3_600_000)} ET`),
      '',
    ],
    ['deeply nested HTML', 'a.html', () => bytesOf(`${'<div>'.repeat(20_000)}x`), 'nested too deep'],
    ['very deeply nested HTML', 'a.html', () => bytesOf(`${'<b>'.repeat(1_000_000)}x`), ''],
    ['CSV of open quotes', 'a.csv', () => bytesOf('"\n'.repeat(249_999)), ''],
  ])('is refused: %s', async (_, fileName, bytes, message) => {
    await expect(parser.parse({ fileName, bytes: bytes() }, CALLER)).rejects.toMatchObject({
      code: expect.stringMatching(/^(file\.unreadable|input\.too_large)$/),
      message: expect.stringContaining(message),
    });
    const next = await parser.parse({ fileName: 'b.docx', bytes: docxOf([{ text: 'still here' }]) }, CALLER);
    expect(next.text).toBe('still here');
  });

  it('costs the calling process neither memory nor processor time', async () => {
    const bytes = pdfStream(' '.repeat(100_000_000));
    const memoryBefore = process.memoryUsage.rss();
    const costs: number[] = [];
    // The collection of earlier tests' garbage counts as well, so the cheapest of three runs is compared.
    for (let run = 0; run < 3; run++) {
      const cpuBefore = process.cpuUsage();
      await expect(parser.parse({ fileName: 'a.pdf', bytes }, CALLER)).rejects.toMatchObject({
        code: 'file.unreadable',
      });
      const { user, system } = process.cpuUsage(cpuBefore);
      costs.push((user + system) / 1_000);
    }
    // Handing it over takes milliseconds, reading it seconds. Processor time is measured, because wall-clock time depends
    // on the load of the machine.
    expect(Math.min(...costs)).toBeLessThan(1_000);
    expect(process.memoryUsage.rss() - memoryBefore).toBeLessThan(300 * MIB);
  });

  it('cannot make its parser use more memory than a gateway has room for', async () => {
    const bytes = pdfOf([], { streams: [deflateSync(Buffer.alloc(1_500 * MIB, ' '))] });
    // Long enough for a busy machine to fill the memory: the limit of memory must stop this file, not that of time.
    const patient = new DocumentParser({ ...LIMITS, parseMs: 50_000 });
    let isRead = false;
    const outcome = patient.parse({ fileName: 'a.pdf', bytes }, CALLER).finally(() => (isRead = true));
    const refused = expect(outcome).rejects.toMatchObject({ message: expect.stringContaining('MiB of memory') });
    let peakBytes = 0;
    for (; !isRead; await delay(1)) peakBytes = Math.max(peakBytes, ...childPeaks());
    await refused;
    await patient.close();
    expect(peakBytes).toBeGreaterThan(FILE_PARSE_MEMORY_BYTES_MAX / 2);
    expect(peakBytes).toBeLessThan(FILE_PARSE_MEMORY_BYTES_MAX + FILE_PARSE_OVERSHOOT_BYTES);
  }, 120_000);

  it('that takes too long is abandoned, and its process is stopped', async () => {
    const hasty = new DocumentParser({ parseMs: 1 });
    await expect(hasty.parse({ fileName: 'a.html', bytes: bytesOf('<p>x') }, CALLER)).rejects.toMatchObject({
      code: 'file.unreadable',
      message: expect.stringContaining('0.001 s'),
    });
    await hasty.close();
  });
});

describe('many files at once', () => {
  const html = (i: number) => ({ fileName: 'a.html', bytes: bytesOf(`<p>text ${i}`) });

  it('are read by a few processes, and each file gets its own answer', async () => {
    const files = Array.from({ length: 40 }, (_, i) => parser.parse(html(i), CALLER));
    expect((await Promise.all(files)).map(({ text }) => text)).toEqual(files.map((_, i) => `text ${i}`));
  });

  it('are refused when the queue is full, and accepted again afterwards', async () => {
    const small = new DocumentParser({ parsers: 1, waiting: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => small.parse(html(i), CALLER)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(3).fill('fulfilled'),
      ...Array<string>(2).fill('rejected'),
    ]);
    expect((outcomes[4] as PromiseRejectedResult).reason).toMatchObject({ code: 'busy', details: { limit: 2 } });
    expect((await small.parse(html(7), CALLER)).text).toBe('text 7');
    await small.close();
  });

  it('fail once the parser is closed', async () => {
    const waiting = Promise.allSettled([1, 2, 3].map((i) => parser.parse(html(i), CALLER)));
    await parser.close();
    for (const outcome of await waiting)
      expect((outcome as PromiseRejectedResult).reason).toMatchObject({ code: 'service.unavailable' });
  });

  it('of one token do not delay those of another token, in the same workspace or in another', async () => {
    const slow = { fileName: 'a.pdf', bytes: pdfStream(' '.repeat(100_000_000)) };
    const ended: string[] = [];
    const reading = (name: string, file: typeof slow, caller: typeof CALLER) =>
      parser.parse(file, caller).then(
        () => ended.push(name),
        () => ended.push(name),
      );
    const hostile = Array.from({ length: 4 }, (_, i) => reading(`hostile ${i}`, slow, CALLER));
    const small = [
      reading('same workspace', html(1), { ...CALLER, tokenId: 'other' }),
      reading('other workspace', html(2), { workspaceId: 'other', tokenId: 'other' }),
    ];
    await Promise.all(small);
    expect(ended.toSorted()).toEqual(['other workspace', 'same workspace']);
    await parser.close();
    await Promise.all(hostile);
  });

  it('of one token are refused beyond its share of the queue, while another token can still wait', async () => {
    const small = new DocumentParser({ parsers: 1, waitingPerToken: 1 });
    const own = [1, 2, 3].map((i) => small.parse(html(i), CALLER));
    const other = small.parse(html(4), { ...CALLER, tokenId: 'other' });
    await expect(own[2]).rejects.toMatchObject({ code: 'busy', details: { limit: 1 } });
    expect((await Promise.all([own[0], own[1], other])).map((document) => document!.text)).toEqual([
      'text 1',
      'text 2',
      'text 4',
    ]);
    await small.close();
  });

  it('of several tokens of one workspace do not delay those of another workspace', async () => {
    const slow = { fileName: 'a.pdf', bytes: pdfStream(' '.repeat(100_000_000)) };
    const hostile = Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((tokenId) => parser.parse(slow, { ...CALLER, tokenId })),
    );
    let isHostileOver = false;
    void hostile.then(() => (isHostileOver = true));
    const other = await parser.parse(html(1), { workspaceId: 'other', tokenId: 'other' });
    expect([other.text, isHostileOver]).toEqual(['text 1', false]);
    await parser.close();
    await hostile;
  });

  it('of one workspace are refused beyond its share of the queue, while another workspace can still wait', async () => {
    const small = new DocumentParser({ parsers: 1, waiting: 2, waitingPerWorkspace: 1 });
    const own = ['a', 'b', 'c'].map((tokenId, i) => small.parse(html(i), { ...CALLER, tokenId }));
    const other = small.parse(html(4), { workspaceId: 'other', tokenId: 'other' });
    await expect(own[2]).rejects.toMatchObject({
      code: 'busy',
      message: '1 file of this workspace is waiting to be read already; try again',
      details: { limit: 1 },
    });
    expect((await Promise.all([own[0], own[1], other])).map((document) => document!.text)).toEqual([
      'text 0',
      'text 1',
      'text 4',
    ]);
    await small.close();
  });
});
