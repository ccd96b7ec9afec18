import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { PutJob, ScanJob } from './resident-protocol.js';
import { uuidBytes } from './uuid-bytes.js';
import { VectorStore } from './vector-store.js';

const DIMS = 4;

/** A vector in the binary form of the database: dimensions, a reserved word, numbers. */
const sent = (vector: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(4 + 4 * vector.length);
  bytes.writeUInt16BE(vector.length);
  vector.forEach((value, i) => bytes.writeFloatBE(value, 4 + 4 * i));
  return new Uint8Array(bytes);
};

const putOf = (block: string, id: string): PutJob => ({
  kind: 'put',
  ...{ block, dims: DIMS, ids: uuidBytes([id]), folders: ['f'] },
  ...{ vectors: sent([1, 2, 3, 4]), forgotten: new Uint8Array(0) },
});

const scanOf = (block: string): ScanJob => ({
  kind: 'scan',
  ...{ block, query: Float32Array.of(1, 2, 3, 4), wanted: 5, only: null, except: [] },
});

describe('the vectors in memory of all workspaces', () => {
  const id = randomUUID();

  it('are summed up after a change, over all blocks and for the one that changed', () => {
    const store = new VectorStore();
    const first = store.do(putOf('a', id)) as { held: { rows: number; bytes: number }; blockBytes: number };
    expect(first.held).toEqual({ rows: 1, bytes: first.blockBytes });
    expect(store.do(putOf('b', randomUUID()))).toEqual({
      held: { rows: 2, bytes: 2 * first.blockBytes },
      blockBytes: first.blockBytes,
    });
    expect(store.do({ kind: 'forget', ids: uuidBytes([id]) })).toMatchObject({ held: { rows: 1 } });
    expect(store.do({ kind: 'drop', block: 'b' })).toMatchObject({ held: { rows: 0 }, blockBytes: 0 });
  });

  it('are not summed up for a scan, which answers with what it found only', () => {
    const store = new VectorStore();
    store.do(putOf('a', id));
    expect(store.do(scanOf('a'))).toEqual({ scanned: { ids: uuidBytes([id]), reach: null } });
    expect(store.do(scanOf('unknown'))).toEqual({});
  });
});
