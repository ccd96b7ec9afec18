import { randomBytes, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FORGOTTEN_CHUNKS_SUBJECT,
  OPLOG_STREAM,
  type CommandData,
  type EventData,
  type Principal,
} from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { canonicalJson, Projector, type StoredOp } from '@cairn/op-log';
import { ERASURE_STEPS, findForgettings, PROJECTIONS } from '@cairn/projections';
import { keyedHash, sealVector, type InstanceSecrets } from '@cairn/vault';
import { jetstreamManager } from '@nats-io/jetstream';
import { loadState } from '../commands/state-loader.js';
import { itemData, longText, tokenGrant } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt } from '../rebuilt.harness.js';
import { leftOf, NOTHING_LEFT, purgeWith, workerOf } from './erasure-under-test.harness.js';
import type { ErasureWorker } from './erasure-worker.js';

let ingest: IngestUnderTest;
let admin: Principal;
let secrets: InstanceSecrets;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
  secrets = await ingest.vault.secrets();
}, 60_000);
afterAll(() => ingest.stop());

const rowsOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows;

const store = (more: Partial<CommandData<'item.store'>> = {}, principal = admin) =>
  ingest.command(principal, 'item.store', itemData(more));

const forgetItem = (itemId: string, id?: string, principal = admin) =>
  ingest.command(principal, 'item.forget', { itemId, surface: 'rest' }, id);
const forgetChunk = (chunkId: string, id?: string) =>
  ingest.command(admin, 'chunk.forget', { chunkId, surface: 'rest' }, id);

const worker = (onStep?: (store: string) => void): Promise<ErasureWorker> => workerOf(ingest, onStep && { onStep });
const purged = (onStep?: (store: string) => void): Promise<void> => purgeWith(ingest, onStep && { onStep });

/** A vector of a chunk, as the embedder publishes it. */
const embed = async (itemId: string, chunkId: string, failed = false): Promise<void> => {
  const key = (await ingest.vault.get(admin.workspaceId, itemId)).chunks.get(chunkId)!;
  const vector = Float32Array.from({ length: 384 }, () => Math.random());
  await ingest.vectors.publish({
    workspace: admin.workspaceId,
    itemId,
    chunkId,
    textHash: keyedHash(key, chunkId),
    model: 'test',
    dims: 384,
    position: 1,
    vector: failed ? null : sealVector(key, admin.workspaceId, chunkId, vector).toString('base64'),
  });
};

const untilVectors = async (chunkId: string, n: number): Promise<void> => {
  const sql = 'select count(*)::int as n from vectors.embeddings where chunk_id = $1';
  while ((await rowsOf<{ n: number }>(sql, chunkId))[0]!.n !== n) await new Promise((resolve) => setImmediate(resolve));
};

const sameAfterReplay = async (projections = PROJECTIONS): Promise<void> => {
  const { live, next } = await rebuilt(ingest.stores, projections);
  expect(next).toEqual(live);
};

describe('the memory of search', () => {
  /** A search that reports what the library has when it is asked, and answers when the test lets it. */
  const search = () => {
    const asked: { chunkIds: string[]; left: Promise<object[]>; answer: () => void }[] = [];
    const subscription = ingest.nats.subscribe(FORGOTTEN_CHUNKS_SUBJECT, {
      callback: (_, message) => {
        const { chunkIds } = message.json<{ chunkIds: string[] }>();
        const left = rowsOf('select from library.chunks where id = any ($1::uuid[])', chunkIds);
        asked.push({ chunkIds, left, answer: () => message.respond() });
      },
    });
    return { asked, stop: () => subscription.unsubscribe() };
  };
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('loses the vectors after the library has lost the chunks, and before the forgetting is answered', async () => {
    const [first, second] = [await store({ text: longText(3) }), await store({ text: longText(7) })];
    const { asked, stop } = search();
    await ingest.nats.flush();
    for (const [forget, chunkIds] of [
      [() => forgetItem(first.itemId), first.chunkIds],
      [() => forgetChunk(second.chunkIds[0]!), second.chunkIds.slice(0, 1)],
    ] as const) {
      let isAnswered = false;
      const forgetting = forget().then(() => (isAnswered = true));
      await until(() => asked.length > 0);
      const { left, answer, ...message } = asked.shift()!;
      expect([message.chunkIds.toSorted(), await left, isAnswered]).toEqual([chunkIds.toSorted(), [], false]);
      answer();
      await forgetting;
    }
    stop();
  });
});

describe('forgetting an item', () => {
  it('[N-56] [N-58] removes the item and all its chunks from every read model before the answer', async () => {
    const { itemId, chunkIds } = await store({ text: longText(7) });
    const answer = await forgetItem(itemId);
    expect(answer).toEqual({
      deleted: true,
      chunksRemoved: chunkIds.length,
      sourceRemoved: true,
      receiptId: expect.any(String),
      position: await ingest.log.head(admin.workspaceId),
    });
    expect(chunkIds.length).toBeGreaterThan(5);
    expect(await leftOf(ingest, answer.receiptId)).toMatchObject({ library: 0, lexical: 0, archive: 0 });
    expect(
      await rowsOf(`select f.id from library.folders f where (f.item_count, f.chunk_count, f.token_count) <> (
        select (select count(*) from library.items i where i.folder_id = f.id and i.in_kb), count(b), coalesce(sum(b.tokens), 0)
        from library.chunks c join library.bodies b on b.chunk_id = c.id where c.folder_id = f.id)`),
    ).toEqual([]);
  });

  it('[N-68] is an op of the kind forget that holds ids only', async () => {
    const { itemId } = await store({ title: 'A rare title' });
    const { receiptId } = await forgetItem(itemId);
    const [row] = await rowsOf<{ body: Buffer }>(
      `select body from archive.ops where item_id = $1 and type = 'item.forgotten'`,
      itemId,
    );
    const { data, actor } = JSON.parse(row!.body.toString()) as { data: EventData<'item.forgotten'>; actor: object };
    expect(data).toMatchObject({ itemId, receiptId, more: false, erased: [{ type: 'item.stored' }] });
    expect(actor).toMatchObject({ tokenId: admin.tokenId });
    expect(data.erased[0]).not.toHaveProperty('data');
  });

  it('answers a second request as for an unknown item, and a repeat of the command as before', async () => {
    const { itemId, chunkIds } = await store();
    const id = systemIds.next();
    const answer = await forgetItem(itemId, id);
    expect(await forgetItem(itemId, id)).toEqual(answer);
    const refusal = (promise: Promise<unknown>) =>
      promise.catch(({ code, message, details }) => ({ code, message, details }));
    const [again, never] = [await refusal(forgetItem(itemId)), await refusal(forgetItem(systemIds.next()))];
    expect(again).toEqual(never);
    expect(again).toMatchObject({ code: 'item.not_found' });
    await expect(forgetChunk(chunkIds[0]!)).rejects.toMatchObject({ code: 'chunk.not_found' });
    await expect(ingest.command(admin, 'item.update', { itemId, title: 'x' })).rejects.toMatchObject({
      code: 'item.not_found',
    });
  });

  it('is not undone by a repeat of the command that stored the item', async () => {
    const [id, data] = [systemIds.next(), itemData()];
    const { itemId } = await ingest.command(admin, 'item.store', data, id);
    await forgetItem(itemId);
    await expect(ingest.command(admin, 'item.store', data, id)).rejects.toMatchObject({
      code: 'idempotency.key_reused',
    });
  });

  it('[N-59] leaves nothing in any store once it is erased, except a signed receipt', async () => {
    const { itemId, chunkIds } = await store({ text: longText(90) });
    await ingest.command(admin, 'item.update', { itemId, title: 'Another title' });
    await embed(itemId, chunkIds[1]!, true);
    await embed(itemId, chunkIds[0]!);
    await untilVectors(chunkIds[0]!, 1);
    const { receiptId, position } = await forgetItem(itemId);
    expect(await leftOf(ingest, receiptId)).toMatchObject({ KEYS: 1, OPLOG: 4, VECTORS: 2, vectors: 2 });
    await (await worker()).round();
    expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
    await purged();
    const [row] = await rowsOf<{ receipt: EventData<'receipt.issued'> }>(
      'select receipt from library.forgets where receipt_id = $1',
      receiptId,
    );
    const { signature, ...signed } = row!.receipt;
    expect(signed).toMatchObject({ receiptId, itemId, sourceRemoved: true, position });
    expect(signed.stores.map(({ store: name }) => name).sort()).toEqual(Object.keys(NOTHING_LEFT).sort());
    const { publicKey, keyId } = secrets.signingKey;
    expect(signed.keyId).toBe(keyId);
    const isSigned = (text: string) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
    expect(isSigned(canonicalJson(signed))).toBe(true);
    expect(isSigned(canonicalJson({ ...signed, itemId: receiptId }))).toBe(false);
    expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
  }, 60_000);

  it('frees its place in the quota', async () => {
    const principal = await ingest.workspace();
    await ingest.command(principal, 'quota.set', { name: 'knowledge_stored', limit: 1 });
    const { itemId } = await store({}, principal);
    await expect(store({}, principal)).rejects.toMatchObject({ code: 'quota.exceeded' });
    await forgetItem(itemId, undefined, principal);
    expect(await store({}, principal)).toMatchObject({ itemId: expect.any(String) });
  });
});

describe('forgetting an entry of a chain', () => {
  const chainOf = async (n: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 0; i < n; i++) ids.push((await store()).itemId);
    for (let i = 0; i + 1 < n; i++) {
      await ingest.command(admin, 'item.supersede', { oldId: ids[i]!, newId: ids[i + 1]! });
    }
    return ids;
  };
  const links = async (...ids: string[]) => {
    const sql = 'select id, superseded_by_id as by, superseded_head_id as head from library.items where id = any ($1)';
    const rows = await rowsOf<{ id: string; by: string | null; head: string | null }>(sql, ids);
    return ids.map((id) => rows.find((row) => row.id === id)).map((row) => row && [row.by, row.head]);
  };
  const hidden = async (...ids: string[]): Promise<string[]> => {
    const sql = `select item_id from library.chunks where superseded and item_id = any ($1)
      union all select item_id from lexical.documents where superseded and item_id = any ($1)`;
    return (await rowsOf<{ item_id: string }>(sql, ids)).map(({ item_id }) => item_id).sort();
  };
  const twice = (...ids: string[]): string[] => ids.flatMap((id) => [id, id]).sort();

  it('[D-44] links older entries to the next one, and follows the chain as it grows', async () => {
    const [a, b, c, d] = (await chainOf(4)) as [string, string, string, string];
    await forgetItem(c);
    expect(await links(a, b, d)).toEqual([
      [b, d],
      [d, d],
      [null, null],
    ]);
    expect(await hidden(a, b, d)).toEqual(twice(a, b));
    const newest = (await store()).itemId;
    await ingest.command(admin, 'item.supersede', { oldId: d, newId: newest });
    expect((await links(a, b, d)).map((row) => row![1])).toEqual([newest, newest, newest]);
  });

  it('[D-45] makes visible again the entry that the newest had replaced, and no older one', async () => {
    const [a, b, c] = (await chainOf(3)) as [string, string, string];
    const other = (await store()).itemId;
    await ingest.command(admin, 'item.supersede', { oldId: other, newId: c });
    await forgetItem(c);
    expect(await links(a, b, other)).toEqual([
      [b, b],
      [null, null],
      [null, null],
    ]);
    expect(await hidden(a, b, other)).toEqual(twice(a));
    await forgetItem(b);
    expect(await links(a)).toEqual([[null, null]]);
    expect(await hidden(a)).toEqual([]);
  });

  it('sees a link that is not projected yet, and one that is added at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [old, fresh] = (await Promise.all([store(), store()])).map(({ itemId }) => itemId) as [string, string];
      const linked = ingest
        .command(admin, 'item.supersede', { oldId: old, newId: fresh })
        .catch(({ code }: { code: string }) => code);
      await forgetItem(fresh);
      expect(['item.not_found', expect.objectContaining({ oldId: old })]).toContainEqual(await linked);
      expect(await links(old)).toEqual([[null, null]]);
      expect(await hidden(old)).toEqual([]);
    }
  });

  it('produces the same rows in a replay, whichever entries of a chain are gone', async () => {
    const orders = [[1, 2, 3], [3, 2, 1], [2, 3, 1], [3, 1], [2], [4, 1, 3]];
    for (const order of orders) {
      const ids = await chainOf(5);
      for (const n of order) await forgetItem(ids[n]!);
    }
    await sameAfterReplay();
    await (await worker()).round();
    await sameAfterReplay();
  }, 60_000);
});

describe('forgetting a chunk', () => {
  it('[N-55] leaves its siblings as they are', async () => {
    const { itemId, chunkIds } = await store({ text: longText(3) });
    const before = await rowsOf(
      'select * from library.chunks where item_id = $1 and id <> $2 order by id',
      itemId,
      chunkIds[1],
    );
    const answer = await forgetChunk(chunkIds[1]!);
    expect(answer).toMatchObject({ deleted: true, chunksRemoved: 1, sourceRemoved: false });
    await (await worker()).round();
    expect(await leftOf(ingest, answer.receiptId)).toEqual(NOTHING_LEFT);
    expect(await rowsOf('select * from library.chunks where item_id = $1 order by id', itemId)).toEqual(before);
    const keys = await ingest.vault.get(admin.workspaceId, itemId);
    expect([...keys.chunks.keys()].sort()).toEqual(chunkIds.filter((id) => id !== chunkIds[1]).sort());
    await ingest.command(admin, 'item.update', { itemId, title: 'Still there' });
    expect((await rowsOf('select id from library.chunks where item_id = $1', itemId)).length).toBe(chunkIds.length - 1);
  });

  it('[D-33] leaves the title with the first remaining chunk, even if that changes later', async () => {
    const { itemId, chunkIds } = await store({ title: 'Quibblefax ledger', text: longText(4) });
    const titles = async () =>
      (
        await rowsOf<{ title: string | null }>(
          'select title from library.chunks c join library.bodies b on b.chunk_id = c.id where c.item_id = $1 order by b.ordinal',
          itemId,
        )
      ).map(({ title }) => title);
    await forgetChunk(chunkIds[0]!);
    await forgetChunk(chunkIds[1]!);
    const others = Array<null>(chunkIds.length - 3).fill(null);
    expect(await titles()).toEqual(['Quibblefax ledger', ...others]);
    await sameAfterReplay();
    await ingest.command(admin, 'item.update', { itemId, title: 'Renamed' });
    expect(await titles()).toEqual(['Renamed', ...others]);
    await sameAfterReplay();
  });

  it('leaves no word of a title that was derived from the text', async () => {
    const word = `wq${randomBytes(8).toString('hex')}`;
    const remembered = await ingest.command(admin, 'item.remember', {
      text: `About ${word}. ${longText(4)}`,
      kind: 'clip',
    });
    const { itemId } = remembered as Extract<typeof remembered, { outcome: 'stored' }>;
    const rows = () =>
      rowsOf<{ id: string; title: string | null }>(
        'select c.id, c.title from library.chunks c join library.bodies b on b.chunk_id = c.id where c.item_id = $1 order by b.ordinal',
        itemId,
      );
    const [first, ...others] = await rows();
    expect([first, ...others].map((row) => row!.title)).toEqual(['', ...others.map(() => null)]);
    await forgetChunk(first!.id);
    expect((await rows()).map(({ id, title }) => [id, title])).toEqual(others.map(({ id }, i) => [id, i ? null : '']));
    const tables = await rowsOf<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('library', 'lexical', 'archive', 'cairn')`,
    );
    for (const { name } of tables) {
      const holding = await rowsOf<{ n: number }>(
        `select count(*)::int as n from ${name} t where t::text like '%' || $1 || '%'`,
        word,
      );
      expect([name, holding[0]!.n]).toEqual([name, 0]);
    }
    await sameAfterReplay();
  });

  it('removes the item together with its last chunk, with one receipt', async () => {
    const { itemId, chunkIds } = await store();
    const id = systemIds.next();
    const answer = await forgetChunk(chunkIds[0]!, id);
    expect(answer).toMatchObject({ chunksRemoved: 1, sourceRemoved: true });
    expect(await forgetChunk(chunkIds[0]!, id)).toEqual(answer);
    await (await worker()).round();
    expect(await leftOf(ingest, answer.receiptId)).toEqual(NOTHING_LEFT);
    await expect(forgetItem(itemId)).rejects.toMatchObject({ code: 'item.not_found' });
  });
});

describe('forgetting while others write', () => {
  it('erases the op of a concurrent change, whichever came first', async () => {
    const items = await Promise.all(Array.from({ length: 12 }, () => store({ text: longText(2) })));
    const outcomes = await Promise.allSettled(
      items.flatMap(({ itemId }, i) => [
        ingest.command(admin, 'item.update', { itemId, title: `Title ${i}` }),
        forgetItem(itemId),
        ingest.command(admin, 'item.update', { itemId, tags: ['late'] }),
      ]),
    );
    const forgotten = outcomes.filter((_, i) => i % 3 === 1);
    expect(forgotten.every(({ status }) => status === 'fulfilled')).toBe(true);
    await (await worker()).round();
    const content = ['item.stored', 'item.extended', 'item.placed'];
    const positions = await rowsOf<{ position: string }>(
      'select position from archive.ops where item_id = any ($1) and type = any ($2)',
      items.map(({ itemId }) => itemId),
      content,
    );
    expect(positions.length).toBeGreaterThanOrEqual(items.length);
    expect(await ingest.log.present(positions.map(({ position }) => Number(position)))).toEqual([]);
  }, 60_000);

  it('is not undone by a vector that was in progress', async () => {
    const { itemId, chunkIds } = await store();
    const key = await ingest.vault.get(admin.workspaceId, itemId);
    const { receiptId } = await forgetItem(itemId);
    await (await worker()).round();
    const vector = sealVector(key.chunks.get(chunkIds[0]!)!, admin.workspaceId, chunkIds[0]!, new Float32Array(384));
    await ingest.vectors.publish({
      workspace: admin.workspaceId,
      itemId,
      chunkId: chunkIds[0]!,
      textHash: 'a'.repeat(64),
      model: 'test',
      dims: 384,
      position: 1,
      vector: vector.toString('base64'),
    });
    const other = await store();
    await embed(other.itemId, other.chunkIds[0]!);
    await untilVectors(other.chunkIds[0]!, 1);
    await (await worker()).round();
    await purged();
    expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
  }, 60_000);
});

describe('a worker that is killed', () => {
  const killedAt = (name: string) => (step: string) => {
    if (step === name) throw new Error(`killed before ${name}`);
  };

  it.each([...ERASURE_STEPS.map(({ store: name }) => name), 'purge', 'receipt'])(
    'before the step %s leaves the rest to the next one, which reaches the same end',
    async (name) => {
      const { itemId, chunkIds } = await store({ text: longText(2) });
      await embed(itemId, chunkIds[0]!);
      await untilVectors(chunkIds[0]!, 1);
      const { receiptId } = await forgetItem(itemId);
      await expect(purged(killedAt(name))).rejects.toThrow(`killed before ${name}`);
      await purged();
      expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
      const [row] = await rowsOf<{ issued: boolean }>(
        'select receipt is not null as issued from library.forgets where receipt_id = $1',
        receiptId,
      );
      expect(row).toEqual({ issued: true });
      const issued = await rowsOf(`select 1 from archive.ops where item_id = $1 and type = 'receipt.issued'`, itemId);
      expect(issued).toHaveLength(1);
    },
    60_000,
  );
});

describe('a replay from scratch', () => {
  it('derives the title of a text whose first op has no chunk left', async () => {
    const { itemId, chunkIds } = await store({ title: 'Late', text: longText(90) });
    const [op] = await rowsOf<{ body: Buffer }>(
      'select body from archive.ops where item_id = $1 order by position limit 1',
      itemId,
    );
    const { data } = JSON.parse(op!.body.toString()) as { data: EventData<'item.stored'> };
    expect(data.chunks.length).toBeLessThan(chunkIds.length);
    for (const { chunkId } of data.chunks) await forgetChunk(chunkId);
    await (await worker()).round();
    await sameAfterReplay();
    expect(await rowsOf('select id from library.chunks where item_id = $1 and title = $2', itemId, 'Late')).toEqual([
      { id: chunkIds[data.chunks.length] },
    ]);
  }, 60_000);

  it('[N-59] produces the same rows before the messages are erased, in between, and afterwards', async () => {
    const kept = await store({ text: longText(3), clientToken: systemIds.next() });
    const gone = await store({ text: longText(90), clientToken: systemIds.next() });
    await ingest.command(admin, 'item.update', { itemId: gone.itemId, title: 'Moved' });
    for (const chunkId of [kept.chunkIds[0]!, gone.chunkIds[0]!]) {
      const instruction = 'replace Sentence with Phrase';
      const { correctionId } = await ingest.propose(admin, { chunkId, instruction });
      await ingest.command(admin, 'chunk.correct', { correctionId });
    }
    await ingest.command(admin, 'item.supersede', { oldId: gone.itemId, newId: kept.itemId });
    await embed(gone.itemId, gone.chunkIds[0]!);
    await embed(kept.itemId, kept.chunkIds[0]!);
    await untilVectors(kept.chunkIds[0]!, 1);
    await forgetChunk(kept.chunkIds[1]!);
    const { receiptId } = await forgetItem(gone.itemId);
    // The vectors are not in step with the log until the first steps are done.
    const stopped = await worker((step) => {
      if (step === 'VECTORS') throw new Error('stop');
    });
    await expect(stopped.round()).rejects.toThrow('stop');
    const [forgetting] = await findForgettings(ingest.pool, receiptId);
    await ingest.vault.destroy(admin.workspaceId, gone.itemId);
    await ingest.log.erase(forgetting!.erased.slice(1, 2));
    await sameAfterReplay(OP_PROJECTIONS);
    await (await worker()).round();
    await sameAfterReplay();
    await purged();
    await sameAfterReplay();
  }, 120_000);

  it('does not mistake a lost key for a destroyed one', async () => {
    const { itemId } = await store();
    const { streams } = await jetstreamManager(ingest.nats);
    const subject = `$KV.KEYS.${admin.workspaceId}.${itemId}`;
    const last = await streams.getMessage('KV_KEYS', { last_by_subj: subject });
    await streams.deleteMessage('KV_KEYS', last!.seq);
    const handler = PROJECTIONS.find(({ name }) => name === 'library')!.handler(ingest.stores);
    const fresh = new Projector<StoredOp>(
      {
        name: 'x',
        checkpoint: () => Promise.resolve({ position: 0, epoch: 1 }),
        apply: async (entries) => {
          await handler.prepare(entries);
          return 'applied' as const;
        },
      },
      (from) => ingest.log.read(from),
    );
    const running = fresh.runTo(await ingest.log.head());
    while (!fresh.failure) await new Promise((resolve) => setImmediate(resolve));
    expect(fresh.failure).toMatchObject({ code: 'key.unavailable', details: { itemId } });
    await fresh.stop();
    await running;
  }, 60_000);
});

describe('a receipt', () => {
  it('can be issued by the installation only', async () => {
    const { itemId } = await store();
    const { receiptId, position } = await forgetItem(itemId);
    const forged: EventData<'receipt.issued'> = {
      receiptId,
      workspaceId: admin.workspaceId,
      itemId,
      chunkIds: [],
      sourceRemoved: true,
      position,
      forgottenAt: new Date().toISOString(),
      stores: [],
      issuedAt: new Date().toISOString(),
      keyId: 'k',
      signature: randomBytes(8).toString('base64'),
    };
    await expect(ingest.command(admin, 'receipt.issue', forged)).rejects.toMatchObject({ code: 'scope.missing' });
  });
});

describe('forgetting by an agent', () => {
  it('looks up nothing in folders that the caller may not name', async () => {
    const { itemId, chunkIds } = await store();
    const loaded = async (folders: { ids: string[]; slugs: string[]; all?: boolean }) => {
      const forgetting = { itemIds: [itemId], chunkIds };
      const { state } = await loadState(ingest.pool, admin.workspaceId, { commandIds: [], forgetting, folders });
      return state.items.get(itemId)?.content?.chunkIds;
    };
    expect(await loaded({ ids: [systemIds.next()], slugs: [] })).toBeUndefined();
    expect(await loaded({ ids: [], slugs: [], all: true })).toEqual(chunkIds);
  });

  it('requires that the caller sees the folder', async () => {
    const { itemId } = await store();
    const scoped = {
      ...admin,
      tokenId: tokenGrant().tokenId,
      isUnscoped: false,
      folderIds: [systemIds.next()],
      scopes: ['memory:forget' as const],
    };
    await expect(ingest.command(scoped, 'item.forget', { itemId, surface: 'mcp' })).rejects.toMatchObject({
      code: 'item.not_found',
    });
    expect(await ingest.command(admin, 'item.forget', { itemId, surface: 'mcp' })).toMatchObject({ deleted: true });
  });

  it('does not make the broker lose the position of the newest op', async () => {
    const { itemId } = await store();
    await forgetItem(itemId);
    await (await worker()).round();
    const { streams } = await jetstreamManager(ingest.nats);
    const { state } = await streams.info(OPLOG_STREAM);
    expect(await ingest.log.head()).toBe(state.last_seq);
    expect(await store()).toMatchObject({ itemId: expect.any(String) });
  });
});
