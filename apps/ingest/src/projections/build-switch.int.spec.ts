import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { REPLACING_SUBJECT, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { createLogger } from '@cairn/observability';
import { ALWAYS_OURS, type OpLog } from '@cairn/op-log';
import {
  besideSlotName,
  buildOf,
  dropSlot,
  ensureSlot,
  readSlot,
  replaceable,
  wantPrevious,
  type Bm25,
  type Build,
} from '@cairn/projections';
import { itemData } from '../command-data.builder.js';
import { leftOf, NOTHING_LEFT, purgeWith } from '../erasure/erasure-under-test.harness.js';
import { IngestUnderTest, type Replica } from '../ingest-under-test.harness.js';
import { untilAllFollow } from '../rebuilt.harness.js';
import { FilledVersions } from './filled-versions.js';

/** Other settings of BM25 are another layout of `lexical`, as a changed table would be. */
const OTHER: Bm25 = { k1: 1.7, b: 0.3 };

let ingest: IngestUnderTest;
let admin: Principal;
let [first, second]: Build[] = [];

beforeEach(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
  [first, second] = [buildOf(ingest.stores), buildOf({ ...ingest.stores, bm25: OTHER })];
}, 60_000);
afterEach(() => ingest.stop());

const upgraded = (): Promise<Replica> => ingest.addReplica({ bm25: OTHER });

const store = async (text: string, { commands } = ingest.replicas[0]!) =>
  ingest.command(admin, 'item.store', itemData({ text, title: text }), systemIds.next(), { commands } as Replica);

const layoutOf = (build: Build | undefined): string => build!.layouts.get('lexical')!;
const liveLayout = async (): Promise<string | null> => (await readSlot(ingest.pool, 'lexical'))!.layout;
const untilLive = async (build: Build | undefined): Promise<void> => {
  while ((await liveLayout()) !== layoutOf(build)) await delay(20);
};

const documents = async (slot: string): Promise<number> =>
  (await ingest.pool.query<{ n: number }>(`select count(*)::int as n from ${slot}.documents`)).rows[0]!.n;
const indexSql = async (): Promise<string> => {
  const sql = `select indexdef from pg_indexes where schemaname = 'lexical' and indexname = 'documents_bm25'`;
  return (await ingest.pool.query<{ indexdef: string }>(sql)).rows[0]!.indexdef;
};

describe('a build with another layout of a read model', () => {
  it('fills its version beside the live one and replaces it, while replicas of both carry out commands', async () => {
    for (const text of ['one', 'two', 'three']) await store(text);
    const newer = await upgraded();
    expect(await documents('lexical')).toBe(3);
    await untilLive(second);
    expect([await documents('lexical'), await indexSql()]).toEqual([3, expect.stringContaining(`k1='1.7'`)]);
    await store('four');
    await store('five', newer);
    await untilAllFollow(ingest.stores);
    expect(await documents('lexical')).toBe(5);
    expect((await readSlot(ingest.pool, besideSlotName('lexical', layoutOf(first))))!.layout).toBe(layoutOf(first));
  }, 60_000);

  it('is followed by the one before it, which returns when no process of the newer build is left', async () => {
    const newer = await upgraded();
    await untilLive(second);
    await store('written while the newer build is live', newer);
    await ingest.removeReplica(newer);
    await untilLive(first);
    await store('written after the return');
    expect([await documents('lexical'), await indexSql()]).toEqual([2, expect.stringContaining(`k1='0.9'`)]);
  }, 60_000);

  it('yields to the one before it when an operator asks for that', async () => {
    await upgraded();
    await untilLive(second);
    expect(await wantPrevious(ingest.pool)).toBe(true);
    await untilLive(first);
    await store('written after the return');
    expect(await documents('lexical')).toBe(1);
  }, 60_000);

  it('stands by when it is started again while the build that replaced it is live', async () => {
    await upgraded();
    await untilLive(second);
    await ingest.removeReplica(ingest.replicas[0]!);
    const again = await ingest.addReplica();
    await store('through the older build', again);
    expect([await documents('lexical'), await liveLayout()]).toEqual([1, layoutOf(second)]);
  }, 60_000);

  it('waits while a process reads columns that it does not have', async () => {
    let asked = 0;
    const reader = ingest.nats.subscribe(REPLACING_SUBJECT, {
      callback: (_, message) => {
        asked++;
        message.respond();
      },
    });
    const starting = upgraded();
    while (asked < 5) await delay(20);
    expect(await liveLayout()).toBe(layoutOf(first));
    reader.unsubscribe();
    await untilLive(second);
    await starting;
  }, 60_000);

  it('adds a read model that did not exist before', async () => {
    await store('one');
    await ingest.removeReplica(ingest.replicas[0]!);
    await dropSlot(ingest.pool, 'lexical');
    await ingest.addReplica();
    expect([await documents('lexical'), await liveLayout()]).toEqual([1, layoutOf(first)]);
  }, 60_000);

  it('fills its version again when something has dropped it', async () => {
    let isHeld = true;
    const reader = ingest.nats.subscribe(REPLACING_SUBJECT, {
      callback: (_, message) => void (isHeld && message.respond()),
    });
    const starting = upgraded();
    const beside = besideSlotName('lexical', layoutOf(second));
    await store('one');
    while ((await readSlot(ingest.pool, beside))?.checkpoint.position !== (await ingest.log.head())) await delay(20);
    await dropSlot(ingest.pool, beside);
    await store('two');
    isHeld = false;
    await untilLive(second);
    reader.unsubscribe();
    await starting;
    expect(await documents('lexical')).toBe(2);
  }, 60_000);

  it('skips no op that is appended while it looks how far the others are', async () => {
    let stored = 0;
    const add = async (): Promise<void> => {
      await store(`between ${++stored}`);
    };
    const head = async (): Promise<number> => {
      const found = await ingest.log.head();
      await add();
      return found;
    };
    await add();
    const log = Object.create(ingest.log, { head: { value: head } }) as OpLog;
    const stores = { ...ingest.stores, bm25: OTHER, log };
    const logger = createLogger({ name: 'test', level: 'fatal', format: 'json' });
    const others = await replaceable(ingest.pool, buildOf(stores));
    const versions = await FilledVersions.open({ stores, turn: ALWAYS_OURS, logger }, others);
    expect(await versions.fill(() => false)).toBe(true);
    while (!(await versions.goLive(second!, 0))) await delay(20);
    expect(await documents('lexical')).toBe(stored);
    await versions.stop();
  }, 60_000);

  it('is replaced by one that only has further read models, and keeps those apart when it returns', async () => {
    await ingest.pool.query(`insert into cairn.builds (id, live_at) values ('with-notes', clock_timestamp())`);
    await ensureSlot(
      ingest.pool,
      { tables: (schema) => `create schema ${schema}; create table ${schema}.notes (body text)`, indexes: () => [] },
      { name: 'notes', version: 1, epoch: 1 },
    );
    const liveNow = async (): Promise<string> =>
      (await ingest.pool.query<{ id: string }>('select id from cairn.builds order by live_at desc limit 1')).rows[0]!
        .id;
    while ((await liveNow()) !== first!.id) await delay(20);
    expect(await readSlot(ingest.pool, 'notes')).toBeUndefined();
    const { rows } = await ingest.pool.query(`select from cairn.projections where starts_with(name, 'notes_of_')`);
    expect(rows).toHaveLength(1);
    await store('one');
    expect(await documents('lexical')).toBe(1);
  }, 60_000);

  it('takes over from a build that is not running', async () => {
    await store('one');
    await ingest.removeReplica(ingest.replicas[0]!);
    await upgraded();
    expect([await documents('lexical'), await liveLayout()]).toEqual([1, layoutOf(second)]);
  }, 60_000);
});

describe('a forgetting', () => {
  it('leaves nothing in the version of a build that was replaced', async () => {
    const { itemId } = await store('a secret');
    const newer = await upgraded();
    await untilLive(second);
    await ingest.removeReplica(ingest.replicas[0]!);
    const kept = besideSlotName('lexical', layoutOf(first));
    expect(await documents(kept)).toBe(1);
    // No process follows it any more, as when its last one ended a while ago.
    await ingest.pool.query(`update cairn.projections set applied_at = now() - interval '2 minutes' where name = $1`, [
      kept,
    ]);
    const { receiptId } = await ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });
    await ingest.pool.query(`update library.forgets set forgotten_at = now() - interval '1 minute'`);
    while (await readSlot(ingest.pool, kept)) await delay(50);
    await untilAllFollow(ingest.stores);
    await purgeWith(ingest, { bm25: OTHER });
    expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
    expect(newer.status.view().held).toBeUndefined();
  }, 60_000);
});
