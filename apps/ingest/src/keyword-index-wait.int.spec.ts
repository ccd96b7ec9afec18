import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KEYWORD_INDEX_WAIT_MS, type Principal } from '@cairn/contracts';
import { readSlot } from '@cairn/projections';
import { IngestUnderTest, itemData } from './ingest-under-test.fake.js';

/** Takes every document; a refresh can be held back, and with it the checkpoint of the index. */
class SlowOpenSearch {
  private released = Promise.resolve();
  release: () => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SlowOpenSearch> {
    const server = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const part of request) body += String(part);
        if (request.url!.includes('_refresh')) await slow.released;
        const items = body.match(/^\{"(index|delete)"/gm)?.map(() => ({ index: { status: 200 } }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ acknowledged: true, items: items ?? [] }));
      })();
    });
    const slow = new SlowOpenSearch(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return slow;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  hold(): void {
    this.released = new Promise((resolve) => (this.release = resolve));
  }

  stop(): void {
    this.release();
    this.server.close();
    this.server.closeAllConnections();
  }
}

describe('commands beside a keyword index that follows', () => {
  let openSearch: SlowOpenSearch;
  let ingest: IngestUnderTest;
  let principal: Principal;
  let itemId: string;

  const indexed = async (): Promise<number> => (await readSlot(ingest.pool, 'lexical'))!.checkpoint.position;
  const rename = (title: string, replica = ingest.replicas[0]!) =>
    ingest.command(principal, 'item.update', { itemId, title }, undefined, replica);

  beforeAll(async () => {
    openSearch = await SlowOpenSearch.start();
    ingest = await IngestUnderTest.start({ openSearchUrl: openSearch.url });
    principal = await ingest.workspace();
    ({ itemId } = await ingest.command(principal, 'item.store', itemData()));
  }, 60_000);
  beforeEach(() => openSearch.release());
  afterAll(async () => {
    await ingest.stop();
    openSearch.stop();
  });

  it('answer when it has them, if they change what exists', async () => {
    const [older, newer] = [itemId, (await ingest.command(principal, 'item.store', itemData())).itemId];
    const { position: renamed } = await rename('Renamed');
    expect(await indexed()).toBeGreaterThanOrEqual(renamed);
    const superseded = await ingest.command(principal, 'item.supersede', { oldId: older, newId: newer });
    expect(await indexed()).toBeGreaterThanOrEqual(superseded.position);
    const forgotten = await ingest.command(principal, 'item.forget', { itemId: newer, surface: 'rest' });
    expect(await indexed()).toBeGreaterThanOrEqual(forgotten.position);
  });

  it('store without it, and give it up after a while', async () => {
    openSearch.hold();
    const startedAt = performance.now();
    const changed = rename('Held back');
    const stored = await ingest.command(principal, 'item.store', itemData());
    expect(performance.now() - startedAt).toBeLessThan(KEYWORD_INDEX_WAIT_MS);
    expect(await changed).toMatchObject({ itemId, position: expect.any(Number) });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(KEYWORD_INDEX_WAIT_MS - 5);
    expect(await indexed()).toBeLessThan(stored.position);
  });

  it('are answered by whichever of two replicas has not written to it, too', async () => {
    const second = await ingest.addReplica();
    for (let i = 0; i < 10; i++) {
      const startedAt = performance.now();
      const { position } = await rename(`Title ${i}`, ingest.replicas[i % 2]);
      expect(await indexed()).toBeGreaterThanOrEqual(position);
      expect(performance.now() - startedAt).toBeLessThan(KEYWORD_INDEX_WAIT_MS);
    }
    await ingest.removeReplica(second);
  });

  it('are all answered before the process ends', async () => {
    const leaving = await ingest.addReplica();
    openSearch.hold();
    let isAnswered = false;
    const changed = rename('At the end', leaving).then(() => (isAnswered = true));
    while (!leaving.service.isBusy) await new Promise((resolve) => setImmediate(resolve));
    await leaving.service.finish();
    expect(isAnswered).toBe(true);
    await changed;
    openSearch.release();
    await ingest.removeReplica(leaving);
  });
});
