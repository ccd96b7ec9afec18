import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  OPLOG_PLACEHOLDER_SUBJECT,
  OPLOG_STREAM,
  VECTORS_STREAM,
  type ErasedOp,
  type OpEnvelope,
} from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import {
  ensureStreams,
  ForgetLedger,
  JetStreamOpLog,
  StreamReader,
  StreamRefill,
  VectorLog,
  type LostMessage,
} from '@cairn/op-log';
import { keepSecretsCopy } from '@cairn/projections';
import { SeededLibrary, type SeedItem } from '@cairn/projections/testing';
import { TestNats } from '@cairn/testing';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Engines } from '../connection.js';
import { planRepair, repair } from './repair.js';

interface Message {
  readonly position: number;
  readonly subject: string;
  readonly body: string;
}

const vectorOf = (n: number): Float32Array => Float32Array.from({ length: 384 }, (_, i) => Math.sin(n + i));

let library: SeededLibrary;
let broker: TestNats;
let nats: NatsConnection;
let engines: Engines;
const steps: string[] = [];
const onProgress = (step: string): void => void steps.push(step);
const options = () => ({ engines, onProgress });
/** The head of the log, and the positions of the forgotten ops. */
const log = { head: 0, erased: [] as number[] };
/** The log before anything was forgotten. */
let backup: LostMessage[];
const ids = { stays: '', partly: '', chunk: '', gone: '', workspace: '' };

const archived = async (itemId: string): Promise<ErasedOp[]> => {
  const { rows } = await library.pool.query<{ position: string; body: Buffer }>(
    'select position, body from archive.ops where item_id = $1 order by position',
    [itemId],
  );
  return rows.map(({ position, body }) => {
    const { data: _, payloadHash: __, ...envelope } = JSON.parse(body.toString()) as OpEnvelope;
    return { ...envelope, position: Number(position) };
  });
};

/** Two workspaces with vectors, a correction, a forgotten chunk and a forgotten item. */
const fill = async (): Promise<void> => {
  const [workspaceId, other] = [await library.workspace(), await library.workspace()];
  const folderId = await library.folder({ workspaceId });
  const item = (...texts: string[]): SeedItem => ({
    workspaceId,
    folderId,
    chunks: texts.map((text, i) => ({ text, vector: vectorOf(i) })),
  });
  const stays = await library.item(item('A text that stays.'));
  const gone = await library.item(item('A text that is forgotten.'));
  const corrected = await library.item(item('The port is 8080.'));
  await library.item({
    ...item('Elsewhere.'),
    workspaceId: other,
    folderId: await library.folder({ workspaceId: other }),
  });
  const changed = await library.correct(corrected, 0, item('The port is 8080.'), 'The port is 9090.');
  const chunkId = corrected.chunkIds[0]!;
  const at = { workspaceId, itemId: corrected.itemId, chunkId, text: 'The port is 9090.', position: changed };
  await library.embed({ ...at, vector: vectorOf(9) });
  await library.embed({ ...at, model: 'another-model', vector: null });
  const partly = await library.item(item('One part.', 'Another part.'));
  backup = (await archivedMessages()).map((message) => ({ ...message, id: randomUUID() }));
  const [, chunk] = partly.chunkIds;
  const forget = { itemId: partly.itemId, folderId, receiptId: randomUUID() };
  await library.apply(workspaceId, { type: 'chunk.forgotten', data: { ...forget, chunkId: chunk! } });
  const erased = await archived(gone.itemId);
  log.erased = erased.map(({ position }) => position);
  log.head = await library.apply(workspaceId, {
    type: 'item.forgotten',
    data: { itemId: gone.itemId, folderId, chunkIds: [...gone.chunkIds], receiptId: randomUUID(), erased, more: false },
  });
  for (const id of [chunk!, ...gone.chunkIds])
    await library.pool.query('delete from vectors.embeddings where chunk_id = $1', [id]);
  Object.assign(ids, { workspace: workspaceId, gone: gone.itemId, stays: stays.itemId, partly: partly.itemId, chunk });
  for (const name of ['library', 'archive']) await library.checkpoint(name, log.head);
  await library.checkpoint('vectors', 9);
  await keepSecretsCopy(library.pool, library.vault);
};

const messagesIn = async (stream: string): Promise<Message[]> => {
  const { messages } = await new StreamRefill(nats, stream, 'unused').state();
  const reader = new StreamReader(nats, stream, 1, ({ position, subject, body }) => ({
    position,
    subject,
    body: Buffer.from(body).toString(),
  }));
  const all: Message[] = [];
  while (all.length < messages) all.push(...(await reader.next(500, 5_000)));
  await reader.close();
  return all;
};

const archivedMessages = async (): Promise<Message[]> => {
  const { rows } = await library.pool.query<{ position: string; subject: string; body: Buffer }>(
    'select position, subject, body from archive.ops order by position',
  );
  return rows
    .map(({ position, subject, body }) => ({ position: Number(position), subject, body: body.toString() }))
    .filter(({ position }) => !log.erased.includes(position));
};

const newBroker = async (): Promise<void> => {
  broker = await TestNats.start();
  nats = await broker.connect();
  engines = {
    nats,
    pool: library.pool,
    isEmbedded: false,
    log: await JetStreamOpLog.open(nats),
    vectors: new VectorLog(nats),
    vault: new Vault(new KeyRing({ kek: library.kek }), await JetStreamKeyStore.open(nats)),
    close: () => Promise.resolve(),
  };
  steps.length = 0;
};

beforeAll(async () => {
  library = await SeededLibrary.start();
  await fill();
}, 60_000);
afterAll(() => library.stop());
beforeEach(async () => {
  await broker?.stop();
  await newBroker();
});
afterAll(() => broker.stop());

describe('a repair from the archive', () => {
  it('writes every op to its position, and leaves the positions of forgotten ones empty', async () => {
    const { plan, done } = await repair(options(), 1);
    expect(plan).toEqual({
      head: log.head,
      equalUpTo: 0,
      ops: log.head - 1,
      erased: 1,
      forgettings: 2,
      keyOwners: 5,
      vectors: 4,
    });
    expect(done).toEqual({
      forgettings: 2,
      keys: { restored: 4, destroyed: 1, secrets: 'restored' },
      vectors: 4,
      findings: [],
    });
    expect(await messagesIn(OPLOG_STREAM)).toEqual(await archivedMessages());
    expect(await engines.log.head()).toBe(log.head);
    expect([...new Set(steps)]).toEqual(['archive', 'keys', 'vectors', 'op-log', 'verify']);
  });

  it('restores keys and vectors of living chunks, and nothing that was forgotten', async () => {
    await repair(options(), 1);
    const { vault } = engines;
    expect((await vault.get(ids.workspace, ids.stays)).item).toEqual(
      (await library.vault.get(ids.workspace, ids.stays)).item,
    );
    expect((await vault.get(ids.workspace, ids.partly)).wrapped.chunks[ids.chunk]).toBe('');
    expect(await vault.livingKeys(ids.workspace, ids.gone)).toBeUndefined();
    expect((await vault.secrets()).signingKey).toEqual((await library.vault.secrets()).signingKey);
    const { entries } = await new ForgetLedger(nats).read();
    expect(entries.map(({ itemId }) => itemId).sort()).toEqual([ids.gone, ids.partly].sort());
    const { rows } = await library.pool.query<{ seq: string; chunk_id: string }>(
      'select seq, chunk_id from vectors.embeddings order by seq',
    );
    const found = (await messagesIn(VECTORS_STREAM)).map(({ position, body }) => ({
      ...(JSON.parse(body) as { chunkId: string; vector: string | null }),
      position,
    }));
    const vectors = found.filter(({ vector }) => vector !== null);
    expect(vectors.map(({ position, chunkId }) => [position, chunkId])).toEqual(
      rows.map(({ seq, chunk_id: chunkId }) => [Number(seq), chunkId]),
    );
    expect(found.filter(({ vector }) => vector === null).map(({ position }) => position)).toEqual([10]);
  });

  it('continues where an earlier one was killed, and does nothing when all is there', async () => {
    await ensureStreams(nats);
    const before = backup.slice(0, log.erased[0]! - 1);
    await new StreamRefill(nats, OPLOG_STREAM, OPLOG_PLACEHOLDER_SUBJECT).write(before, 0, before.length);
    // The placeholder was published and not erased yet.
    await nats.request(OPLOG_PLACEHOLDER_SUBJECT, '');
    const { plan, done } = await repair(options(), 1);
    expect([plan.equalUpTo, plan.ops, done!.findings]).toEqual([log.erased[0], log.head - log.erased[0]!, []]);
    expect(await messagesIn(OPLOG_STREAM)).toEqual(await archivedMessages());

    const vectors = await messagesIn(VECTORS_STREAM);
    const again = await repair(options(), 1);
    expect(again).toMatchObject({ plan: { equalUpTo: log.head, ops: 0, erased: 0 } });
    expect(again.done).toEqual({
      forgettings: 0,
      keys: { restored: 0, destroyed: 0, secrets: 'present' },
      vectors: 0,
      findings: [],
    });
    expect(await messagesIn(VECTORS_STREAM)).toEqual(vectors);
  });

  it('erases and destroys what an earlier backup of the broker brings back', async () => {
    await ensureStreams(nats);
    await new StreamRefill(nats, OPLOG_STREAM, OPLOG_PLACEHOLDER_SUBJECT).write(backup, 0, backup.length);
    const store = await JetStreamKeyStore.create(nats, 1);
    for (const [id, chunkIds] of [
      [ids.gone, []],
      [ids.partly, [ids.chunk]],
    ] as const)
      await store.put(ids.workspace, id, library.vault.mint(ids.workspace, id, chunkIds).wrapped);
    const { plan, done } = await repair(options(), 1);
    expect(plan.equalUpTo).toBe(backup.length);
    expect(done).toMatchObject({ keys: { destroyed: 1, restored: 3 }, findings: [] });
    expect(await messagesIn(OPLOG_STREAM)).toEqual(await archivedMessages());
    expect(await engines.vault.livingKeys(ids.workspace, ids.gone)).toBeUndefined();
    expect(await engines.vault.hasKeys(ids.workspace, ids.partly, ids.chunk)).toBe(false);
  });

  it('only reports in a dry run, and creates no stream', async () => {
    const { plan, done } = await planRepair(options());
    expect([plan.ops, done]).toEqual([log.head - 1, undefined]);
    await expect(engines.log.head()).rejects.toMatchObject({ code: 'oplog.unavailable' });
  });

  describe('is refused, and writes nothing,', () => {
    const isUntouched = async (): Promise<void> => {
      expect(await new StreamRefill(nats, VECTORS_STREAM, 'unused').state()).toEqual({ messages: 0, last: 0 });
    };

    it('when the stream has other ops than the archive', async () => {
      await ensureStreams(nats);
      await nats.request('oplog.other.item', '{}');
      await expect(repair(options(), 1)).rejects.toThrow(
        'the stream OPLOG has another op at position 1 than the archive: it is not the log of this database',
      );
      await isUntouched();
    });

    it('when the stream is longer than the archive', async () => {
      await ensureStreams(nats);
      await new StreamRefill(nats, OPLOG_STREAM, OPLOG_PLACEHOLDER_SUBJECT).write([], 0, log.head + 1);
      await expect(repair(options(), 1)).rejects.toThrow(
        `the stream OPLOG ends at ${log.head + 1}, behind the archive at ${log.head}: it has ops that the archive lacks`,
      );
      await isUntouched();
    });

    it('when the stream lacks an op between others', async () => {
      await repair(options(), 1);
      await engines.log.erase([1]);
      await expect(repair(options(), 1)).rejects.toThrow(/^the stream OPLOG lacks the op at position 1 and has later/);
    });

    it.each([
      ['lacks an op', 'delete from archive.ops where position = 3', 'position 3: missing from the archive'],
      [
        'has a changed op',
        `update archive.ops set body = convert_to(replace(convert_from(body, 'UTF8'), 'agentId":"cairn', 'agentId":"other'), 'UTF8')
         where position = 3`,
        'position 3: its content does not match its hash',
      ],
    ])('when the archive %s', async (_, damage, problem) => {
      await library.pool.query('create table public.kept as select * from archive.ops');
      await library.pool.query(damage);
      await expect(repair(options(), 1)).rejects.toThrow(`the archive is damaged: ${problem}`);
      await isUntouched();
      await library.pool.query('truncate archive.ops');
      await library.pool.query('insert into archive.ops select * from public.kept');
      await library.pool.query('drop table public.kept');
    });

    it('when the end of the archive is missing', async () => {
      await library.pool.query(`update cairn.projections set position = position + 1 where name = 'archive'`);
      await expect(repair(options(), 1)).rejects.toThrow(
        `the archive ends at ${log.head}, but ${log.head + 1} ops were applied to this database`,
      );
      await library.pool.query(`update cairn.projections set position = position - 1 where name = 'archive'`);
      await isUntouched();
    });

    it('with the KEK of another installation', async () => {
      const kek = Buffer.alloc(32, 1).toString('base64');
      engines = { ...engines, vault: new Vault(new KeyRing({ kek }), await JetStreamKeyStore.open(nats)) };
      await expect(repair(options(), 1)).rejects.toThrow(
        'a wrapped key opens with none of the given key-encryption keys',
      );
      await isUntouched();
    });
  });
});
