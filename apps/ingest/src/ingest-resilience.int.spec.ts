import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_TABLE, eventDefinition, type Principal } from '@cairn/contracts';
import { systemIds, type AppError } from '@cairn/kernel';
import { decodeEnvelope, type StoredOp } from '@cairn/op-log';
import { homeOf, nextSlotName, PROJECTIONS, promoteSlot, readSlot } from '@cairn/projections';
import { keyedHash, sealVector } from '@cairn/vault';
import { itemData, longText, tokenGrant } from './command-data.builder.js';
import { IngestUnderTest, type Replica } from './ingest-under-test.harness.js';
import { hashesOf, replayBeside, untilAllFollow } from './rebuilt.harness.js';
import { activityOn, connectAccount, imported } from './series/series-under-test.harness.js';

let ingest: IngestUnderTest;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
}, 60_000);
afterAll(() => ingest.stop());

/** Acts as a client does: repeats the command while the error is retryable. */
const insist = async <R>(send: () => Promise<R>): Promise<R> => {
  const deadline = performance.now() + 25_000;
  for (;;) {
    try {
      return await send();
    } catch (thrown) {
      const { kind } = thrown as AppError;
      if (kind === undefined || !ERROR_TABLE[kind].retry || performance.now() > deadline) throw thrown;
    }
  }
};

const storeOn = (replica: Replica, principal: Principal, data = itemData(), id = systemIds.next()) =>
  insist(() => ingest.command(principal, 'item.store', data, id, replica));

const publishVector = async (workspaceId: string, itemId: string, chunkId: string, failed = false): Promise<void> => {
  const key = (await ingest.vault.get(workspaceId, itemId)).chunks.get(chunkId)!;
  const vector = Float32Array.from({ length: 384 }, (_, i) => Math.cos(i));
  await ingest.vectors.publish({
    workspace: workspaceId,
    itemId,
    chunkId,
    textHash: keyedHash(key, 'text'),
    model: 'test',
    dims: 384,
    position: 0,
    vector: failed ? null : sealVector(key, workspaceId, chunkId, vector).toString('base64'),
  });
};

const vectorsReach = async (position: number): Promise<void> => {
  while ((await readSlot(ingest.pool, 'vectors'))!.checkpoint.position < position);
};

/** A row in every table of the graph: a link of each kind, an edge, a verdict on it, and a merge of its names. */
const relate = async (principal: Principal, to: string): Promise<void> => {
  const text = `Alice Chen works at Meridian Labs, see ${to}.`;
  const { itemId, chunkIds } = await ingest.command(principal, 'item.store', itemData({ text }));
  const links = [{ fromItemId: itemId, toItemId: to, type: 'supports' as const, confidence: 1 }];
  await ingest.command(principal, 'link.add', { links, surface: 'rest' });
  const [chunkId] = chunkIds as [string];
  const evidence = [{ itemId, chunkId, edgeRef: 'ab'.repeat(32) }];
  await ingest.command(principal, 'edge.review', { edgeId: systemIds.next(), evidence, verdict: 'rejected' });
  const places = [{ itemId, chunkId }];
  const names = { alias: ['Alice Chen'], canonical: ['A. Chen'] };
  const merge = { mergeId: systemIds.next(), alias: places, canonical: places, names };
  await ingest.command(principal, 'entity.merge', merge);
};

/** Observations of an account, those of the first month as a roll-up. */
const observe = async (principal: Principal): Promise<void> => {
  const accountId = await connectAccount(ingest, principal);
  await imported(ingest, principal, accountId, [activityOn(0), activityOn(40)]);
  const before = '2026-02-01T00:00:00Z';
  await ingest.command(principal, 'observations.purge', { accountId, before, keepAggregates: true });
};

/**
 * One of everything: folders, tokens, long and short items, chains, vectors, and texts that wait, failed, or are
 * forgotten.
 */
const variedWorkspace = async (): Promise<Principal> => {
  const principal = await ingest.workspace();
  const folderId = systemIds.next();
  const folder = { folderId, slug: 'papers', name: 'P', tier: 'public' as const, maxTokensPerRecall: 9, readme: '' };
  await ingest.command(principal, 'folder.create', folder);
  const diary = { ...folder, folderId: systemIds.next(), slug: 'diary', tier: 'sensitive' as const };
  await ingest.command(principal, 'folder.create', diary);
  const token = tokenGrant({ folderIds: [folderId] });
  await ingest.command(principal, 'token.issue', token);
  const stored = await Promise.all([
    ...Array.from({ length: 10 }, (_, i) =>
      ingest.command(principal, 'item.store', itemData({ title: `Item ${i}`, folderId })),
    ),
    ingest.command(principal, 'item.store', itemData({ text: longText(70), folderId: diary.folderId })),
    ingest.command(principal, 'item.store', itemData({ clientToken: systemIds.next(), inKb: false })),
  ]);
  const [a, b, c] = stored.map(({ itemId }) => itemId) as [string, string, string];
  await ingest.command(principal, 'item.supersede', { oldId: a, newId: b });
  await ingest.command(principal, 'item.supersede', { oldId: b, newId: c });
  await ingest.command(principal, 'folder.configure', { folderId, name: 'Papers', tier: 'personal' });
  await ingest.command(principal, 'token.revoke', { tokenId: token.tokenId });
  const waiting = { text: 'Tulips want sun.', label: 'Tulips', kind: 'clip' as const, name: 'An unknown name' };
  await ingest.command(principal, 'item.remember', waiting);
  await ingest.command(principal, 'server.register', {
    serverId: systemIds.next(),
    name: 'calendar',
    url: 'https://mcp.example.com/mcp',
    transport: 'auto',
    enabled: true,
    approval: 'first-use',
  });
  await relate(principal, a);
  await observe(principal);
  const forgotten = stored[9];
  const kept = stored.filter((item) => item !== forgotten);
  await ingest.command(principal, 'item.forget', { itemId: forgotten!.itemId, surface: 'rest' });
  for (const { itemId, chunkIds } of kept) await publishVector(principal.workspaceId, itemId, chunkIds[0]!);
  const [first, second] = kept as [(typeof kept)[0], (typeof kept)[0]];
  for (const { itemId, chunkIds } of [first, second, first])
    await publishVector(principal.workspaceId, itemId, chunkIds[0]!, true);
  await untilAllFollow(ingest.stores);
  return principal;
};

const hashes = (slotOf: (name: string) => string) => hashesOf(ingest.stores, slotOf);

describe('replaying the log', () => {
  it('rebuilds the same read models beside the live ones, and swaps them while commands continue', async () => {
    const principal = await variedWorkspace();
    await replayBeside(ingest.stores);
    const live = await hashes((name) => name);
    expect(await hashes(nextSlotName)).toEqual(live);
    expect(live.flat().filter(({ rows }) => rows === 0)).toEqual([]);
    for (const projection of PROJECTIONS)
      await promoteSlot(ingest.pool, { name: projection.name, ...homeOf(projection, ingest.stores).shape });
    expect(await hashes((name) => name)).toEqual(live);
    const items = await ingest.count('items', principal);
    const { itemId, chunkIds } = await storeOn(ingest.replicas[0]!, principal);
    await publishVector(principal.workspaceId, itemId, chunkIds[0]!);
    await vectorsReach(await ingest.vectors.head());
    expect(await ingest.count('items', principal)).toBe(items + 1);
    expect((await readSlot(ingest.pool, 'library'))!.checkpoint).toEqual({
      position: await ingest.log.head(),
      epoch: 2,
    });
  });

  it('builds the same read models in an empty database when the service starts', async () => {
    await variedWorkspace();
    const before = await hashes((name) => name);
    await ingest.removeReplica(ingest.replicas[0]!);
    for (const { name } of PROJECTIONS) await ingest.pool.query(`drop schema ${name} cascade`);
    await ingest.pool.query('delete from cairn.projections');
    const replica = await ingest.addReplica();
    await untilAllFollow(ingest.stores);
    expect(await replica.status.check()).toEqual({ ready: true, notes: [] });
    expect(await hashes((name) => name)).toEqual(before);
  });

  it('rejects commands at once, with the reason, while the broker does not accept writes', async () => {
    const principal = await ingest.workspace();
    let brokerProblem: string | undefined = 'the disk is full';
    const replica = await ingest.addReplica({ brokerProblem: () => brokerProblem });
    const head = await ingest.log.head();
    await expect(storeOn(replica, principal)).rejects.toMatchObject({
      code: 'oplog.unavailable',
      message: 'the disk is full, then try again',
    });
    expect([replica.status.view().brokerProblem, await ingest.log.head()]).toEqual(['the disk is full', head]);
    brokerProblem = undefined;
    await storeOn(replica, principal);
    expect(replica.status.view()).not.toHaveProperty('brokerProblem');
    await ingest.removeReplica(replica);
  });

  it('changes nothing when a checkpoint was reset by hand', async () => {
    const principal = await variedWorkspace();
    await variedWorkspace();
    const before = await hashes((name) => name);
    const head = await ingest.log.head();
    await ingest.pool.query('update cairn.projections set position = position - 15');
    await ingest.removeReplica(ingest.replicas[0]!);
    await ingest.addReplica();
    await vectorsReach(await ingest.vectors.head());
    expect((await readSlot(ingest.pool, 'library'))!.checkpoint.position).toBe(head);
    expect(await hashes((name) => name)).toEqual(before);
    await storeOn(ingest.replicas[0]!, principal);
  });
});

describe('two replicas', () => {
  let second: Replica;
  beforeAll(async () => {
    second = await ingest.addReplica();
  }, 60_000);
  afterAll(() => ingest.removeReplica(second));

  it('write to one workspace concurrently and lose nothing', async () => {
    const principal = await ingest.workspace();
    const both = [ingest.replicas[0]!, second];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const positions: number[] = [];
      for (let i = 0; i < 10; i++) positions.push((await storeOn(both[writer % 2]!, principal)).position);
      return positions;
    });
    const positions = (await Promise.all(writers)).flat();
    expect(new Set(positions).size).toBe(80);
    expect(await ingest.count('items', principal)).toBe(80);
    expect(await ingest.count('chunks', principal)).toBe(80);
  }, 60_000);

  it('store one entry for one clientToken, whichever replica is called [D-14]', async () => {
    const principal = await ingest.workspace();
    const data = itemData({ clientToken: systemIds.next() });
    const both = [ingest.replicas[0]!, second];
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => storeOn(both[i % 2]!, principal, data)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await ingest.count('items', principal)).toBe(1);
  });
});

describe('an op of a newer version', () => {
  /** The definition that a process of the newer version would have. */
  const QuotaSet = eventDefinition('quota.set') as {
    version: number;
    upcasters: Record<number, (data: unknown) => unknown>;
  };

  const appendNewer = async ({ workspaceId }: Principal): Promise<number> => {
    const position = await ingest.log.head(workspaceId);
    const reader = ingest.log.read(position);
    const [{ op, body }] = (await reader.next(1, 5_000)) as [StoredOp];
    await reader.close();
    const data = { name: 'knowledge_stored', limit: 9 };
    const own = { id: systemIds.next(), type: 'quota.set', version: 2, prevHash: op.hash, data };
    const envelope = { ...decodeEnvelope(body, position), ...own };
    return (await ingest.nats.request(`oplog.${workspaceId}.quota`, JSON.stringify(envelope))).json<{ seq: number }>()
      .seq;
  };

  it('holds the projections, which say so, until a process that understands it takes over', async () => {
    const [replica] = ingest.replicas as [Replica];
    const owner = await ingest.workspace();
    const isHeld = async (): Promise<number | undefined> =>
      (await replica.metrics.projectionHeld.get()).values.find(({ labels }) => labels.projection === 'library')?.value;
    const position = await appendNewer(owner);
    while (replica.status.view().held === undefined) await nextTurn();
    const message = `the op at position ${position}, quota.set v2, was written by a newer version of Cairn; upgrade this one`;
    expect(replica.status.view().held).toBe(message);
    expect(await replica.status.check()).toEqual({ ready: false, notes: [`the library projection waits: ${message}`] });
    expect(await isHeld()).toBe(1);
    QuotaSet.version = 2;
    QuotaSet.upcasters[1] = (data) => data;
    try {
      await storeOn(replica, owner);
      expect(await ingest.count('quotas', owner)).toBe(1);
      while ((await isHeld()) !== 0);
      expect(await replica.status.check()).toEqual({ ready: true, notes: [] });
    } finally {
      QuotaSet.version = 1;
      delete QuotaSet.upcasters[1];
    }
  });
});

describe('when a server dies', () => {
  it('answers "try again" while Postgres is unavailable, and recovers by itself when it is back', async () => {
    const principal = await ingest.workspace();
    const id = systemIds.next();
    const back = ingest.database.kill();
    await expect(ingest.command(principal, 'item.store', itemData(), id)).rejects.toMatchObject({
      code: 'projection.unavailable',
      kind: 'unavailable',
    });
    await back;
    const answer = await storeOn(ingest.replicas[0]!, principal, itemData(), id);
    expect(await storeOn(ingest.replicas[0]!, principal, itemData(), id)).toEqual(answer);
    expect(await ingest.count('items', principal)).toBe(1);
  }, 60_000);

  it('keeps every acknowledged store, and stores each once, while the broker is killed', async () => {
    const principal = await ingest.workspace();
    const done = new Set<string>();
    let killed = false;
    const writers = Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 12; i++) {
        const { itemId } = await storeOn(ingest.replicas[0]!, principal);
        done.add(itemId);
        if (done.size > 20 && !killed) {
          killed = true;
          await ingest.broker.kill();
        }
      }
    });
    await Promise.all(writers);
    const { rows } = await ingest.pool.query<{ id: string }>('select id from library.items where workspace_id = $1', [
      principal.workspaceId,
    ]);
    expect(new Set(rows.map(({ id }) => id))).toEqual(done);
    expect(done.size).toBe(96);
  }, 60_000);
});
