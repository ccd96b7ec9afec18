import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QUERY_TIMEOUT_MS, SEARCH_STATEMENT_MS_MAX } from '@cairn/contracts';
import { SeededLibrary } from '@cairn/projections/testing';
import { closeConnections, openConnections, type Connections } from './connections.js';

let library: SeededLibrary;
let connections: Connections;

beforeAll(async () => {
  library = await SeededLibrary.start();
  connections = await openConnections({ database: { url: library.url }, searchConnections: 2 });
}, 60_000);
afterAll(async () => {
  await closeConnections(connections);
  await library.stop();
});

describe('the connections of the search service', () => {
  it('allow a token lookup while searches use all of their own connections', async () => {
    const { searches, reads } = connections;
    const busy = await Promise.all([searches.pool.connect(), searches.pool.connect()]);
    expect((await reads.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    for (const client of busy) client.release();
  });

  it('have a short statement limit for searches, and that of the query timeout for other reads', () => {
    const limitOf = ({ pool }: Connections['reads']) => pool.options.statement_timeout;
    expect(limitOf(connections.searches)).toBe(SEARCH_STATEMENT_MS_MAX);
    expect(limitOf(connections.reads)).toBe(QUERY_TIMEOUT_MS);
  });
});
