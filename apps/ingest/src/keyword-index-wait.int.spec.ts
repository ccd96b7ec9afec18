import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { Requester, startService } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { readSlot } from '@cairn/projections';
import { itemData } from './command-data.builder.js';
import { CommandWriter } from './commands/command-writer.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { IngestModule } from './ingest.module.js';

/** Longer than any test may take, so no answer is due to a timeout, however slow the machine is. */
const NEVER_MS = 10 * 60_000;
const SOON_MS = 20;

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Accepts every document; a test can hold back a refresh and with it the checkpoint of the index. */
class SlowOpenSearch {
  private released = Promise.resolve();
  /** The position that the index was last marked with. */
  private checkpoint = 0;
  release: () => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SlowOpenSearch> {
    const server = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const part of request) body += String(part);
        if (request.url!.includes('_refresh')) await slow.released;
        const [, marked] = /"checkpoint":(\d+)/.exec(body) ?? [];
        if (marked !== undefined) slow.checkpoint = Number(marked);
        const items = body.match(/^\{"(index|delete)"/gm)?.map(() => ({ index: { status: 200 } }));
        response.setHeader('content-type', 'application/json');
        const persistent = { 'action.auto_create_index': 'false' };
        const _source = { checkpoint: slow.checkpoint };
        response.end(JSON.stringify({ acknowledged: true, items: items ?? [], persistent, _source }));
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

describe('commands next to a keyword index that lags', () => {
  let openSearch: SlowOpenSearch;
  let ingest: IngestUnderTest;
  let principal: Principal;
  let itemId: string;

  const indexed = async (): Promise<number> => (await readSlot(ingest.pool, 'lexical'))!.checkpoint.position;
  const rename = (title: string, replica = ingest.replicas[0]!) =>
    ingest.command(principal, 'item.update', { itemId, title }, undefined, replica);

  beforeAll(async () => {
    openSearch = await SlowOpenSearch.start();
    ingest = await IngestUnderTest.start({ openSearch: { url: openSearch.url }, keywordIndexWaitMs: NEVER_MS });
    principal = await ingest.workspace();
    ({ itemId } = await ingest.command(principal, 'item.store', itemData()));
  }, 60_000);
  beforeEach(() => openSearch.release());
  afterAll(async () => {
    await ingest.stop();
    openSearch.stop();
  });

  it('are answered once the index has them, if they change existing data', async () => {
    const [older, newer] = [itemId, (await ingest.command(principal, 'item.store', itemData())).itemId];
    const { position: renamed } = await rename('Renamed');
    expect(await indexed()).toBeGreaterThanOrEqual(renamed);
    const superseded = await ingest.command(principal, 'item.supersede', { oldId: older, newId: newer });
    expect(await indexed()).toBeGreaterThanOrEqual(superseded.position);
    const forgotten = await ingest.command(principal, 'item.forget', { itemId: newer, surface: 'rest' });
    expect(await indexed()).toBeGreaterThanOrEqual(forgotten.position);
  });

  it('are answered without the index for a store, and only after it has caught up for a change', async () => {
    openSearch.hold();
    let isAnswered = false;
    const changed = rename('Held back').finally(() => (isAnswered = true));
    const stored = await ingest.command(principal, 'item.store', itemData());
    expect(await indexed()).toBeLessThan(stored.position);
    expect(isAnswered).toBe(false);
    openSearch.release();
    const { position } = await changed;
    expect(await indexed()).toBeGreaterThanOrEqual(position);
  });

  it('are answered after a limited time if the index does not catch up, with the change made', async () => {
    const impatient = await ingest.addReplica({ keywordIndexWaitMs: SOON_MS });
    openSearch.hold();
    const { position } = await rename('Given up', impatient);
    expect(await indexed()).toBeLessThan(position);
    openSearch.release();
    await ingest.removeReplica(impatient);
  });

  it('are also answered by a replica that has not written to the index', async () => {
    const second = await ingest.addReplica();
    for (let i = 0; i < 10; i++) {
      const { position } = await rename(`Title ${i}`, ingest.replicas[i % 2]);
      expect(await indexed()).toBeGreaterThanOrEqual(position);
    }
    await ingest.removeReplica(second);
  });

  it('are all answered before the process ends', async () => {
    const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
    const module = IngestModule.register(ingest.config);
    const leaving = await startService({
      name: 'ingest',
      nats: { url: ingest.broker.url },
      module,
      logger,
      metrics: createMetrics(),
    });
    const writer = leaving.app.get(CommandWriter);
    openSearch.hold();
    let [isAnswered, isClosed] = [false, false];
    const context = { principal, correlationId: 'test', id: systemIds.next() };
    const changed = new Requester(ingest.nats)
      .command('item.update', { itemId, title: 'At the end' }, context)
      .finally(() => (isAnswered = true));
    while (!writer.isBusy) await turns(1);
    while (writer.isBusy) await turns(1);
    const closed = leaving.close().finally(() => (isClosed = true));
    await turns(50);
    expect([isAnswered, isClosed]).toEqual([false, false]);
    openSearch.release();
    await closed;
    await changed;
  });
});
