import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { uuidAt, uuidBytes, UuidSet, UUID_BYTES } from './uuid-bytes.js';
import { VectorBlock } from './vector-block.js';

const DIMS = 384;
const ALL = { only: null, except: [] };

/** Numbers without structure, always the same ones. */
const numbers = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
};
const vectorsOf = (count: number, seed = 1): Float32Array[] => {
  const next = numbers(seed);
  return Array.from({ length: count }, () => Float32Array.from({ length: DIMS }, next));
};
const cosine = (a: Float32Array, b: Float32Array): number => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return dot / Math.sqrt(aa * bb);
};

interface Row {
  readonly id: string;
  readonly folder: string;
  readonly vector: Float32Array;
}
const rowsOf = (vectors: readonly Float32Array[], folder: (i: number) => string): Row[] =>
  vectors.map((vector, i) => ({ id: randomUUID(), folder: folder(i), vector }));
const put = (block: VectorBlock, rows: readonly Row[]): void =>
  block.put(
    uuidBytes(rows.map(({ id }) => id)),
    rows.map(({ folder }) => folder),
    (i) => rows[i]!.vector,
  );
const idsOf = (ids: Uint8Array): string[] =>
  Array.from({ length: ids.length / UUID_BYTES }, (_, i) => Buffer.from(uuidAt(ids, i)).toString('hex'));
const hex = ({ id }: Row): string => id.replaceAll('-', '');
const exact = (rows: readonly Row[], query: Float32Array): Row[] =>
  rows
    .map((row) => ({ row, score: cosine(row.vector, query) }))
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);

describe('a block of vectors', () => {
  const rows = rowsOf(vectorsOf(5_000), (i) => (i % 10 === 0 ? 'few' : 'many'));
  const [query] = vectorsOf(1, 99) as [Float32Array];
  const filled = (): VectorBlock => {
    const block = new VectorBlock(DIMS);
    put(block, rows);
    return block;
  };

  it('proposes every one of the best, and its reach is above all that it leaves out', () => {
    const { ids, reach } = filled().scan(query, 100, ALL);
    const proposed = new Set(idsOf(ids));
    const best = exact(rows, query);
    expect(best.slice(0, 100).filter((row) => !proposed.has(hex(row)))).toEqual([]);
    expect(proposed.size).toBeLessThanOrEqual(200);
    const others = best.filter((row) => !proposed.has(hex(row)));
    expect(cosine(others[0]!.vector, query)).toBeLessThanOrEqual(reach!);
    expect(cosine(best[99]!.vector, query)).toBeGreaterThanOrEqual(reach!);
  });

  it('reads only the chosen folders', () => {
    const block = filled();
    const few = rows.filter(({ folder }) => folder === 'few');
    for (const choice of [
      { only: ['few', 'unknown'], except: [] },
      { only: null, except: ['many'] },
    ]) {
      const proposed = new Set(idsOf(block.scan(query, 50, choice).ids));
      expect(
        exact(few, query)
          .slice(0, 50)
          .every((row) => proposed.has(hex(row))),
      ).toBe(true);
      expect(rows.some((row) => row.folder === 'many' && proposed.has(hex(row)))).toBe(false);
    }
  });

  it('proposes everything where there is little, and then has no reach', () => {
    const block = new VectorBlock(DIMS);
    expect(block.scan(query, 10, ALL)).toEqual({ ids: new Uint8Array(0), reach: null });
    put(block, rows.slice(0, 20));
    const { ids, reach } = block.scan(query, 10, ALL);
    expect([idsOf(ids).sort(), reach]).toEqual([rows.slice(0, 20).map(hex).sort(), null]);
  });

  it('holds the last vector and folder of a chunk, once', () => {
    const block = filled();
    const [row] = rows as [Row];
    put(block, [{ ...row, folder: 'elsewhere', vector: query }]);
    expect(block.rows).toBe(rows.length);
    expect(idsOf(block.scan(query, 1, ALL).ids)[0]).toBe(hex(row));
    expect(idsOf(block.scan(query, 1, { only: ['elsewhere'], except: [] }).ids)).toEqual([hex(row)]);
  });

  it('forgets rows, and their bytes are overwritten', () => {
    const block = new VectorBlock(DIMS);
    put(block, rows.slice(0, 10));
    block.remove(new UuidSet(uuidBytes(rows.slice(0, 9).map(({ id }) => id))));
    expect(block.rows).toBe(1);
    expect(idsOf(block.scan(query, 5, ALL).ids)).toEqual([hex(rows[9]!)]);
    block.remove(new UuidSet(uuidBytes([rows[9]!.id])));
    const { segments } = block as unknown as { segments: Map<string, { values: Int8Array; ids: Uint8Array }> };
    for (const { values, ids } of segments.values())
      expect([values.some((value) => value !== 0), ids.some((value) => value !== 0)]).toEqual([false, false]);
  });

  it('proposes near-duplicates that the quantized vectors cannot tell apart', () => {
    const next = numbers(5);
    const crowd = rowsOf(
      Array.from({ length: 400 }, () => query.map((value) => value + next() * 0.002)),
      () => 'crowd',
    );
    const block = filled();
    put(block, crowd);
    const { ids, reach } = block.scan(query, 100, ALL);
    expect(ids.length / UUID_BYTES).toBe(200);
    // Not enough for an exact answer: the database has to look for itself.
    expect(reach!).toBeGreaterThan(cosine(exact(crowd, query)[99]!.vector, query));
  });
});
