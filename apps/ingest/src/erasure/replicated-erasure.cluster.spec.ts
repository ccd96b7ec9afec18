import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  KEYS_BUCKET,
  OPLOG_STREAM,
  systemPrincipal,
  VECTORS_STREAM,
  type CommandData,
  type CommandResult,
  type LoggedCommandType,
} from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { connectNats, startService, type NatsConnection, type RunningService } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { VectorLog } from '@cairn/op-log';
import { Database } from '@cairn/persistence';
import { BM25_DEFAULT } from '@cairn/projections';
import { TestNatsCluster, TestPglite } from '@cairn/testing';
import { createKek, JetStreamKeyStore, keyedHash, KeyRing, sealVector, Vault } from '@cairn/vault';
import { jetstreamManager } from '@nats-io/jetstream';
import { itemData, tokenGrant } from '../command-data.builder.js';
import { Commands } from '../commands/commands.js';
import { IngestModule } from '../ingest.module.js';

const REPLICAS = 3;
const START_TIMEOUT_MS = 120_000;
/** A follower repeats an erasure of its leader a moment later. */
const FOLLOWERS_WAIT_MS = 30_000;

const KEYS_STREAM = `KV_${KEYS_BUCKET}`;
type Traces = Readonly<Record<string, string>>;

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A file may disappear while it is read: it then holds nothing. */
const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
};

/** The blocks of each stream, and the replication log with which its nodes agree on them. */
const IS_STREAM_FILE = new RegExp(`/streams/(${[OPLOG_STREAM, VECTORS_STREAM, KEYS_STREAM].join('|')})/msgs/`);
const IS_REPLICATION_LOG = /\/\$SYS\/_js_\//;

describe('erasing from streams with three replicas', () => {
  const workspaceId = systemIds.next();
  const kek = createKek();
  let brokers: TestNatsCluster;
  let postgres: TestPglite;
  let service: RunningService;
  let nats: NatsConnection;
  let eyes: Database;
  let keys: JetStreamKeyStore;

  beforeAll(async () => {
    [brokers, postgres] = await Promise.all([TestNatsCluster.start(REPLICAS), TestPglite.start()]);
    const config = {
      nats: { url: brokers.url },
      isBrokerProven: true,
      replicas: REPLICAS,
      database: { url: postgres.url },
      bm25: BM25_DEFAULT,
      residentMb: 64,
      kek,
      correction: { provider: 'rules' },
    } as const;
    const logger = createLogger({ name: 'test', level: 'fatal', format: 'json' });
    const module = IngestModule.register(config);
    service = await startService({
      name: 'ingest',
      nats: { url: brokers.url },
      module,
      logger,
      metrics: createMetrics(),
    });
    nats = await connectNats({ url: brokers.url }, 'eyes');
    eyes = await Database.connect({ url: postgres.url, applicationName: 'eyes' });
    keys = await JetStreamKeyStore.open(nats);
    await command('workspace.create', {
      workspaceId,
      slug: 'replicated',
      name: 'A workspace',
      folderId: systemIds.next(),
      adminToken: tokenGrant({ isUnscoped: true, scopes: ['admin'] }),
      instanceAdmin: false,
    });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await service?.close();
    await eyes?.close();
    await nats?.close();
    await Promise.all([brokers?.stop(), postgres?.stop()]);
  }, START_TIMEOUT_MS);

  const command = <T extends LoggedCommandType>(type: T, data: CommandData<T>): Promise<CommandResult<T>> =>
    service.app.get(Commands).carryOut(type, {
      id: systemIds.next(),
      correlationId: 'test',
      principal: systemPrincipal(workspaceId),
      data,
    });

  /** An item with its vector, and its traces in the messages of each stream. */
  const stored = async (): Promise<{ itemId: string; traces: Traces }> => {
    const { itemId, chunkIds } = await command('item.store', itemData({ text: 'Replicated and then forgotten.' }));
    const chunkId = chunkIds[0]!;
    const vault = new Vault(new KeyRing({ kek }), keys);
    const key = (await vault.get(workspaceId, itemId)).chunks.get(chunkId)!;
    const vector = sealVector(key, workspaceId, chunkId, Float32Array.from({ length: 384 }, Math.random));
    await new VectorLog(nats).publish({
      workspace: workspaceId,
      itemId,
      chunkId,
      textHash: keyedHash(key, chunkId),
      model: 'test',
      dims: 384,
      position: 1,
      vector: vector.toString('base64'),
    });
    const { rows } = await eyes.pool.query<{ data: { meta: string; chunks: { text: string }[] } }>(
      `select convert_from(body, 'UTF8')::jsonb -> 'data' as data from archive.ops
       where item_id = $1 and type = 'item.stored'`,
      [itemId],
    );
    const record = (await keys.get(workspaceId, itemId))!;
    const { meta, chunks } = rows[0]!.data;
    return {
      itemId,
      traces: {
        meta,
        text: chunks[0]!.text,
        vector: vector.toString('base64'),
        itemKey: record.item,
        chunkKey: record.chunks[chunkId]!,
      },
    };
  };

  /** The traces that occur in each file of a node. */
  const found = (traces: Traces, node: number, isMeant: RegExp): string[] => {
    const { storeDir } = brokers.nodes[node]!;
    const names = filesBelow(storeDir)
      .filter((file) => isMeant.test(file))
      .flatMap((file) => {
        const bytes = bytesOf(file);
        return Object.keys(traces).filter((name) => bytes.includes(traces[name]!));
      });
    return [...new Set(names)].sort();
  };
  const everywhere = (traces: Traces, isMeant: RegExp): string[][] =>
    brokers.nodes.map((_, node) => found(traces, node, isMeant));
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + FOLLOWERS_WAIT_MS; !(await isSo()) && Date.now() < end;) await delay(100);
  };
  const isShredded = async (receiptId: string): Promise<boolean> =>
    (await eyes.pool.query('select 1 from cairn.erasures where receipt_id = $1', [receiptId])).rows.length > 0;

  it('[N-59] removes the ciphertext and the wrapped keys from the blocks of all three nodes', async () => {
    const { streams } = await jetstreamManager(nats);
    for (const name of [OPLOG_STREAM, VECTORS_STREAM, KEYS_STREAM])
      expect([name, (await streams.info(name)).config.num_replicas]).toEqual([name, REPLICAS]);
    const [gone, stays] = [await stored(), await stored()];
    const all = Object.keys(gone.traces).sort();
    const isWhole = (lists: string[][]): boolean => lists.every((list) => list.length === all.length);
    await until(
      () => isWhole(everywhere(gone.traces, IS_STREAM_FILE)) && isWhole(everywhere(stays.traces, IS_STREAM_FILE)),
    );
    expect(everywhere(gone.traces, IS_STREAM_FILE)).toEqual([all, all, all]);

    const { receiptId } = await command('item.forget', { itemId: gone.itemId, surface: 'rest' });
    await until(() => isShredded(receiptId));
    expect(await isShredded(receiptId)).toBe(true);
    await until(() => everywhere(gone.traces, IS_STREAM_FILE).flat().length === 0);

    expect(everywhere(gone.traces, IS_STREAM_FILE)).toEqual([[], [], []]);
    // The neighbouring item, in the same blocks, is unchanged.
    expect(everywhere(stays.traces, IS_STREAM_FILE)).toEqual([all, all, all]);
    // The nodes agree on a write through a log of their own, which only the broker truncates: until then it contains
    // the original write. That is ciphertext and wrapped keys (docs/guides/forget.md); nothing is anywhere else.
    for (const { storeDir } of brokers.nodes) {
      const elsewhere = filesBelow(storeDir).filter((file) => !IS_REPLICATION_LOG.test(file));
      const left = elsewhere.filter((file) =>
        Object.values(gone.traces).some((trace) => bytesOf(file).includes(trace)),
      );
      expect(left).toEqual([]);
    }
  }, 120_000);
});
