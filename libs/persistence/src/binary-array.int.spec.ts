import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestPglite } from '@cairn/testing';
import { realArray, uuidArray } from './binary-array.js';
import { Database } from './data-source.js';

let server: TestPglite;
let database: Database;

beforeAll(async () => {
  server = await TestPglite.start();
  database = await Database.connect({ url: server.url, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const received = async <T>(array: Buffer, type: 'real' | 'uuid'): Promise<T[]> => {
  const { rows } = await database.pool.query<{ received: T[] }>(`select $1::${type}[] as received`, [array]);
  return rows[0]!.received;
};

describe('an array in the binary form of Postgres', () => {
  it('transfers vectors bit for bit, one after the other', async () => {
    const vectors = [Float32Array.of(0.1, -1 / 3, 1e-30), Float32Array.of(Math.PI, -0, 3.4e38, 1)];
    const numbers = await received<number>(realArray(vectors), 'real');
    expect(numbers.map(Math.fround)).toEqual(vectors.flatMap((vector) => [...vector]));
  });

  it('transfers ids in their order', async () => {
    const ids = ['0190a1b2-c3d4-7e5f-8a9b-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    const bytes = ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
    expect(await received(uuidArray(bytes), 'uuid')).toEqual(ids);
  });

  it.each([
    ['real', realArray([])],
    ['uuid', uuidArray([])],
  ] as const)('may be empty: %s[]', async (type, array) => {
    expect(await received(array, type)).toEqual([]);
  });
});
