import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  embedConsumer,
  FORGOTTEN_STREAM,
  OPLOG_STREAM,
  OPLOG_TEXT_FILTERS,
  VECTORS_STREAM,
  type Principal,
} from '@cairn/contracts';
import { createLogger } from '@cairn/observability';
import { ensureStreams, ForgetLedger, streamState, VectorModelStore } from '@cairn/op-log';
import { AckPolicy, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { itemData } from '../command-data.builder.js';
import { BuildSwitch } from '../projections/build-switch.js';
import { ProjectionRunner } from '../projections/projection-runner.js';
import { UNSHARED } from '../projections/work-lease.js';
import { IngestUnderTest, type Replica } from '../ingest-under-test.harness.js';
import type { StoreName } from './store-watch.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const MODEL = 'a-model';
/** The test decides when the stores are looked at. */
const NEVER_MS = 10 * 60_000;

describe('the streams, compared with their checkpoints while ingest runs', () => {
  let ingest: IngestUnderTest;
  let replica: Replica;
  let manager: JetStreamManager;
  let principal: Principal;
  let item: { readonly itemId: string; readonly chunkIds: readonly string[] };
  let published = 0;

  const intact = async (store: StoreName): Promise<number | undefined> => {
    const { values } = await replica.metrics.storeIntact.get();
    return values.find(({ labels }) => labels.store === store)?.value;
  };
  const store = () => ingest.command(principal, 'item.store', itemData());
  const publishVectors = async (count: number): Promise<void> => {
    const { itemId, chunkIds } = item;
    const message = { workspace: principal.workspaceId, itemId, chunkId: chunkIds[0]!, textHash: 'a'.repeat(64) };
    for (let i = 0; i < count; i++)
      await ingest.vectors.publish({ ...message, model: MODEL, dims: 2, vector: null, position: ++published });
  };
  const checkpointOf = async (name: string): Promise<number> => {
    const { rows } = await ingest.pool.query<{ position: string }>(
      'select position from cairn.projections where name = $1',
      [name],
    );
    return Number(rows[0]!.position);
  };

  beforeAll(async () => {
    ingest = await IngestUnderTest.start({ erases: false, storeLookPauseMs: NEVER_MS });
    replica = ingest.replicas[0]!;
    manager = await jetstreamManager(ingest.nats);
    principal = await ingest.workspace();
    item = await store();
  }, 60_000);
  afterAll(() => ingest.stop());

  it('are intact at the start', async () => {
    await replica.watch.look();
    expect(await Promise.all(([OPLOG_STREAM, VECTORS_STREAM, FORGOTTEN_STREAM] as const).map(intact))).toEqual([
      1, 1, 1,
    ]);
    expect(replica.status.view()).not.toHaveProperty('streamProblems');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['deleted', () => manager.streams.delete(VECTORS_STREAM)],
    [
      'set back',
      async () => {
        const { config } = await manager.streams.info(VECTORS_STREAM);
        await manager.streams.delete(VECTORS_STREAM);
        await manager.streams.add({ ...config, first_seq: 1 });
      },
    ],
    [
      'replaced by a longer one',
      async () => {
        await manager.streams.delete(VECTORS_STREAM);
        await ensureStreams(ingest.nats);
        await publishVectors((await checkpointOf('vectors')) + 1);
      },
    ],
  ])('are restored if VECTORS was %s: its numbers continue, and texts are embedded again', async (_, lose) => {
    const models = await VectorModelStore.open(ingest.nats);
    await models.update(() => ({ configured: MODEL, live: { id: MODEL, source: 'test' }, dropped: [] }));
    await manager.consumers.add(OPLOG_STREAM, {
      durable_name: embedConsumer(MODEL),
      ack_policy: AckPolicy.Explicit,
      filter_subjects: [...OPLOG_TEXT_FILTERS],
    });
    await publishVectors(3);
    const { last: head } = (await streamState(ingest.nats, VECTORS_STREAM))!;
    while ((await checkpointOf('vectors')) < head);
    await replica.watch.look();
    const before = (await streamState(ingest.nats, VECTORS_STREAM))!.generation;

    await lose();
    await replica.watch.look();

    expect(await intact(VECTORS_STREAM)).toBe(0);
    expect(replica.status.view().streamProblems).toEqual([expect.stringMatching(/^VECTORS .* embedded again/)]);
    const { config } = await manager.streams.info(VECTORS_STREAM);
    expect(config.first_seq).toBeGreaterThan(head);
    await expect(manager.consumers.info(OPLOG_STREAM, embedConsumer(MODEL))).rejects.toThrow('not found');
    await publishVectors(1);
    while ((await checkpointOf('vectors')) < config.first_seq);
    await replica.watch.look();
    expect([await intact(VECTORS_STREAM), replica.status.view().streamProblems]).toEqual([1, undefined]);
    expect((await streamState(ingest.nats, VECTORS_STREAM))!.generation).not.toBe(before);
  });

  it('are restored if the forget ledger was deleted: everything that was forgotten is in it again', async () => {
    const { itemId } = await store();
    await ingest.command(principal, 'item.forget', { itemId, surface: 'rest' });
    const ledger = new ForgetLedger(ingest.nats);
    const { entries } = await ledger.read();
    expect(entries).toMatchObject([{ itemId }]);
    await manager.streams.delete(FORGOTTEN_STREAM);
    await replica.watch.look();
    expect(await intact(FORGOTTEN_STREAM)).toBe(0);
    expect((await ledger.read()).entries).toEqual(entries);
    await replica.watch.look();
    expect(await intact(FORGOTTEN_STREAM)).toBe(1);
  });

  it('are not restored if it is the log: changes are refused with the command that repairs it', async () => {
    const head = await ingest.log.head();
    const bodies: [string, Uint8Array][] = [];
    for (let seq = 1; seq <= head; seq++) {
      const { subject, data } = (await manager.streams.getMessage(OPLOG_STREAM, { seq }))!;
      bodies.push([subject, data]);
    }
    const refill = async (some: readonly [string, Uint8Array][]): Promise<void> => {
      await manager.streams.delete(OPLOG_STREAM).catch(() => undefined);
      await ensureStreams(ingest.nats);
      for (const [subject, body] of some) await jetstream(ingest.nats).publish(subject, body);
    };
    const problem = async (): Promise<string | undefined> => {
      await replica.watch.look();
      return replica.status.view().brokerProblem;
    };
    const other = new TextEncoder().encode('another op');

    await manager.streams.delete(OPLOG_STREAM);
    expect(await problem()).toMatch(/^OPLOG does not exist any more: .*`cairn oplog repair --from archive`$/);
    await expect(store()).rejects.toMatchObject({
      code: 'oplog.unavailable',
      message: expect.stringContaining('repair'),
    });
    expect(await intact(OPLOG_STREAM)).toBe(0);

    await refill(bodies.slice(0, -1));
    expect(await problem()).toContain(`the op-log ends at ${head - 1}, but the database has applied it up to ${head}`);

    await refill(bodies.map(([subject]) => [subject, other]));
    expect(await problem()).toContain('does not hold the ops that the database was made from');
    const starting = new ProjectionRunner({
      ...ingest.stores,
      keywordIndexWaitMs: 0,
      logger,
      metrics: replica.metrics,
      builds: new BuildSwitch({
        stores: ingest.stores,
        lease: UNSHARED,
        isAlone: true,
        objections: () => Promise.resolve(0),
        logger,
      }),
    });
    await expect(starting.start()).rejects.toMatchObject({ code: 'oplog.unsuitable_server' });

    await refill(bodies);
    expect(await problem()).toBeUndefined();
    await store();
    expect(await intact(OPLOG_STREAM)).toBe(1);
  });
});
