import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import { realArray } from './real-array.js';

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

const received = async (vectors: readonly Float32Array[]): Promise<number[]> => {
  const { rows } = await database.pool.query<{ numbers: number[] }>('select $1::real[] as numbers', [
    realArray(vectors),
  ]);
  return rows[0]!.numbers.map(Math.fround);
};

describe('vectors as the binary form of real[]', () => {
  it('are transferred bit for bit, one after the other', async () => {
    const vectors = [Float32Array.of(0.1, -1 / 3, 1e-30), Float32Array.of(Math.PI, -0, 3.4e38, 1)];
    expect(await received(vectors)).toEqual(vectors.flatMap((vector) => [...vector]));
  });
});
