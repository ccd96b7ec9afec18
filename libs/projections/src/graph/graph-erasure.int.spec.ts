import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rowsLeft } from '../erasure/erase-rows.js';
import { SeededLibrary } from '../seeded-library.harness.js';
import { graphErasure } from './graph-erasure.js';
import { graph } from './graph.projection.js';

let library: SeededLibrary;
beforeAll(async () => {
  library = await SeededLibrary.start({ graph: true });
}, 60_000);
afterAll(() => library.stop());

const leftIn = (workspaceId: string): Promise<number> =>
  rowsLeft(library.pool, graph, graphErasure, {
    receiptId: randomUUID(),
    workspaceId,
    itemId: randomUUID(),
    chunkIds: [],
    sourceRemoved: true,
    erased: [],
    position: 1,
    forgottenAt: new Date(0),
  });

describe('a name without a mention', () => {
  it('holds back the receipts of its own workspace only', async () => {
    const [own, other] = [await library.workspace(), await library.workspace()];
    await library.pool.query('insert into graph.entities (workspace_id, key, id) values ($1, $2, $3)', [
      own,
      'alice chen',
      randomUUID(),
    ]);
    expect([await leftIn(own), await leftIn(other)]).toEqual([1, 0]);
  });
});
