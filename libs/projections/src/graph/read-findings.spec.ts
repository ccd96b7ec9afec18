import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import type { FindingsExtractor } from '@cairn/extraction';
import type { Vault } from '@cairn/vault';
import type { OpenedItem } from '../opened-item.js';
import { readFindings } from './read-findings.js';

const vault = { secrets: () => Promise.resolve({}) } as unknown as Vault;
const opened = (position: number, ...chunkIds: readonly string[]): [number, OpenedItem] => [
  position,
  {
    op: { position, data: { inKb: true } },
    meta: { title: '', tags: [] },
    chunks: chunkIds.map((chunkId) => ({ chunkId, plaintext: 'text' })),
  } as unknown as OpenedItem,
];
const failing = (error: Error): FindingsExtractor => ({
  id: 'fake',
  extract: () => Promise.reject(error),
  close: () => Promise.resolve(),
});

describe('a text that cannot be read', () => {
  const items = new Map([opened(7, 'a', 'b'), opened(9, 'c', 'd')]);

  it('is named by its position and its chunk', async () => {
    const defect = fail('internal.defect', 'a text ended its thread', { index: 2 });
    await expect(readFindings(vault, failing(defect), [], items)).rejects.toMatchObject({
      code: 'internal.defect',
      message: 'The graph cannot be read from chunk c at position 9.',
      cause: defect,
    });
  });

  it('is not at fault where the extractor is unavailable', async () => {
    const unavailable = fail('service.unavailable', 'Cairn is stopping');
    await expect(readFindings(vault, failing(unavailable), [], items)).rejects.toBe(unavailable);
  });
});
