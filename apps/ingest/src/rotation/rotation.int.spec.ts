import { hkdfSync, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEYS_BUCKET, systemPrincipal, type CommandData, type EventData, type Principal } from '@cairn/contracts';
import { systemClock, systemIds } from '@cairn/kernel';
import { createLogger, createMetrics } from '@cairn/observability';
import { ALWAYS_OURS, canonicalJson } from '@cairn/op-log';
import { findForgettings, findLeftovers, readSecretsCopy } from '@cairn/projections';
import { loadWinners } from '@cairn/retrieval';
import { createKek, JetStreamKeyStore, keyedHash, KeyRing, Vault, type KekConfig } from '@cairn/vault';
import { jetstreamManager } from '@nats-io/jetstream';
import { untilFollowersReach } from '../erasure/erasure-under-test.harness.js';
import { ErasureWorker } from '../erasure/erasure-worker.js';
import { itemData, longText } from '../command-data.builder.js';
import { IngestUnderTest, type Replica } from '../ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt, untilAllFollow } from '../rebuilt.harness.js';
import { RotationWorker } from './rotation-worker.js';

const CORRECTION = { text: 'The port is 8080.', instruction: 'replace 8080 with 9090', result: 'The port is 9090.' };
const next: KekConfig = { kek: createKek() };

let ingest: IngestUnderTest;
let admin: Principal;
/** The transition to the next KEK: the next one wraps, the first one only opens. */
let rotating: KekConfig;
let before: Awaited<ReturnType<typeof fill>>;

const logger = createLogger({ name: 'test', level: 'fatal', format: 'json' });
const rowsOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows;
const store = (more: Partial<CommandData<'item.store'>> = {}, id?: string) =>
  ingest.command(admin, 'item.store', itemData(more), id);
const forget = (itemId: string) => ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });

const vaultWith = async (config: KekConfig): Promise<Vault> =>
  new Vault(new KeyRing(config), await JetStreamKeyStore.open(ingest.nats));
const stores = async () => ({
  pool: ingest.pool,
  vault: await vaultWith(rotating),
  log: ingest.log,
  vectors: ingest.vectors,
});

/** Removes forgotten content from the disk and signs the receipts, with the given KEKs. */
const purge = async (config: KekConfig): Promise<void> => {
  await untilFollowersReach(ingest);
  const vault = await vaultWith(config);
  const worker = new ErasureWorker({
    ...(await stores()),
    vault,
    secrets: await vault.secrets(),
    clock: systemClock,
    logger,
    metrics: createMetrics(),
    isBusy: () => false,
    turn: ALWAYS_OURS,
    record: () => Promise.resolve(),
    issue: (receipt) =>
      ingest.command(systemPrincipal(receipt.workspaceId), 'receipt.issue', receipt, receipt.receiptId),
  });
  worker.purgeSoon();
  await worker.round();
};

const rotationWorker = async (onStep?: (store: string) => void): Promise<RotationWorker> =>
  new RotationWorker({
    vault: await vaultWith(rotating),
    pool: ingest.pool,
    clock: systemClock,
    logger,
    metrics: createMetrics(),
    ...(onStep ? { onStep } : {}),
  });

/** One of everything that has a key. */
const fill = async () => {
  const commandId = systemIds.next();
  const plain = await store({ text: 'A plain text.' }, commandId);
  const long = await store({ text: longText(90) });
  const corrected = await store({ text: CORRECTION.text });
  const { correctionId } = await ingest.propose(admin, {
    chunkId: corrected.chunkIds[0]!,
    instruction: CORRECTION.instruction,
  });
  await ingest.command(admin, 'chunk.correct', { correctionId });
  const partly = await store({ text: longText(3) });
  await ingest.command(admin, 'chunk.forget', { chunkId: partly.chunkIds[1]!, surface: 'rest' });
  const gone = await store({ text: 'A text that is forgotten.' });
  const { receiptId } = await forget(gone.itemId);
  await purge(ingest.config);
  const waiting = await ingest.command(admin, 'item.remember', {
    text: 'A text that waits.',
    label: 'Waiting',
    kind: 'clip',
    name: 'No such folder',
  });
  if (waiting.outcome !== 'waiting') throw new Error('does not wait');
  await ingest.command(admin, 'account.connect', {
    accountId: systemIds.next(),
    connectorId: 'folder',
    label: 'An account',
    retention: 'full',
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings: {},
    multiAccount: true,
  });
  return { commandId, plain, long, corrected, partly, gone, receiptId, confirmationId: waiting.confirmationId };
};

/** Every wrapped key in the key store, as it is on the disk. */
const wrappedKeys = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { record } of ingest.vault.entries()) keys.push(record.item, ...Object.values(record.chunks));
  return keys.filter((key) => key !== '');
};

const onDisk = (texts: readonly string[]): string[] => {
  const files = readdirSync(ingest.broker.storeDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
};

/** The number of wrapped keys that do not open with this KEK alone. */
const closedTo = async (config: KekConfig): Promise<{ KEYS: number; library: number }> => {
  const vault = await vaultWith(config);
  const isClosed = (workspaceId: string, ownerId: string, wrapped: Buffer): boolean => {
    try {
      return vault.unwrap(workspaceId, ownerId, wrapped).length === 0;
    } catch {
      return true;
    }
  };
  const closed = { KEYS: 0, library: 0 };
  for await (const { workspaceId, itemId, record } of vault.entries())
    for (const [id, key] of [[itemId, record.item] as const, ...Object.entries(record.chunks)])
      if (key !== '' && isClosed(workspaceId, id, Buffer.from(key, 'base64'))) closed.KEYS++;
  const rows = await rowsOf<{ id: string; workspace_id: string; wrapped_key: Buffer }>(
    `select id, workspace_id, wrapped_key from library.items
     union all select b.chunk_id, i.workspace_id, b.wrapped_key from library.bodies b join library.items i on i.id = b.item_id
     union all select id, workspace_id, wrapped_key from library.confirmations where wrapped_key is not null
     union all select id, workspace_id, wrapped_key from library.accounts where wrapped_key is not null`,
  );
  expect(rows.length).toBeGreaterThan(80);
  closed.library = rows.filter((row) => isClosed(row.workspace_id, row.id, row.wrapped_key)).length;
  return closed;
};

const sameAfterReplay = async (): Promise<void> => {
  const stores = { ...ingest.stores, vault: await vaultWith(rotating) };
  const { live, next } = await rebuilt(stores, OP_PROJECTIONS);
  expect(next).toEqual(live);
};

const untilDone = async ({ status }: Replica): Promise<void> => {
  while (status.view().keys.rotation !== 'done') await delay(10);
};

/** Stops all services and starts the next one with other KEKs. */
const restartWith = async (config: KekConfig): Promise<Replica> => {
  for (const replica of [...ingest.replicas]) await ingest.removeReplica(replica);
  return ingest.addReplica(config);
};

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  rotating = { ...next, previousKeks: [ingest.config.kek] };
  admin = await ingest.workspace();
  before = await fill();
}, 60_000);
afterAll(() => ingest.stop());

describe('rotating the KEK', () => {
  let oldKeys: string[];

  it('is not in progress as long as no previous KEK is given', () => {
    const { kekId, ...rest } = ingest.replicas[0]!.status.view().keys;
    expect(kekId).toBe(new KeyRing(ingest.config).id);
    expect(rest).toEqual({ rotation: 'none', checkedAt: null });
  });

  it('continues after a worker was killed between two records, or before the rows', async () => {
    await untilAllFollow(ingest.stores, OP_PROJECTIONS);
    await ingest.removeReplica(ingest.replicas[0]!);
    oldKeys = await wrappedKeys();
    expect(onDisk(oldKeys)).toEqual(oldKeys);
    let records = 0;
    const afterTwo = await rotationWorker((name) => {
      if (name === 'KEYS' && ++records > 2) throw new Error('killed');
    });
    await expect(afterTwo.pass()).rejects.toThrow('killed');
    const half = await closedTo(next);
    expect(half.KEYS).toBeGreaterThan(0);
    expect(half.KEYS).toBeLessThan((await wrappedKeys()).length);
    await sameAfterReplay();
    const beforeRows = await rotationWorker((name) => {
      if (name === 'library') throw new Error('killed');
    });
    await expect(beforeRows.pass()).rejects.toThrow('killed');
    expect(await closedTo(next)).toMatchObject({ KEYS: 0, library: expect.any(Number) });
    await sameAfterReplay();
  }, 60_000);

  it('leaves nothing under the previous KEK, neither in the stores nor on the disk of the broker, and reports it', async () => {
    const replica = await restartWith(rotating);
    await untilDone(replica);
    expect(await closedTo(next)).toEqual({ KEYS: 0, library: 0 });
    const copy = await readSecretsCopy(ingest.pool);
    const stored = await (await vaultWith(next)).wrappedSecrets();
    const unwrapped = async ({ item }: { readonly item: string }) =>
      (await vaultWith(next)).unwrap('instance', 'secrets', Buffer.from(item, 'base64'));
    expect(await unwrapped(copy!)).toEqual(await unwrapped(stored));
    expect(onDisk(oldKeys)).toEqual([]);
    expect(replica.status.view().keys).toEqual({
      kekId: new KeyRing(next).id,
      rotation: 'done',
      checkedAt: expect.any(String),
    });
    const { values } = await replica.metrics.keysRotationPending.get();
    expect(values).toMatchObject([{ value: 0 }]);
    await sameAfterReplay();
  }, 60_000);

  it('changes nothing for a process with only the next KEK', async () => {
    await restartWith(next);
    const vault = await vaultWith(next);
    const reader = { workspaceId: admin.workspaceId, folderIds: null, seesSensitive: true } as never;
    const chunkIds = [before.plain, before.long, before.corrected, before.partly].flatMap((item) => item.chunkIds);
    const winners = await loadWinners(ingest.pool, vault, reader, chunkIds);
    expect([...winners.keys()].sort()).toEqual(chunkIds.filter((id) => id !== before.partly.chunkIds[1]).sort());
    expect(winners.get(before.plain.chunkIds[0]!)!.text).toBe('A plain text.');
    expect(winners.get(before.corrected.chunkIds[0]!)!.text).toBe(CORRECTION.result);
    const { itemId } = await ingest.command(admin, 'confirmation.resolve', {
      confirmationId: before.confirmationId,
      action: 'create',
    });
    expect((await vault.get(admin.workspaceId, itemId!)).chunks.size).toBe(1);
    expect(await ingest.command(admin, 'item.update', { itemId: before.long.itemId, title: 'Renamed' })).toBeDefined();
  }, 60_000);

  it('keeps forgotten content forgotten', async () => {
    const vault = await vaultWith(next);
    expect(await vault.livingKeys(admin.workspaceId, before.gone.itemId)).toBeUndefined();
    const { chunks } = (await vault.livingKeys(admin.workspaceId, before.partly.itemId))!;
    expect(chunks.has(before.partly.chunkIds[1]!)).toBe(false);
  });

  it('keeps earlier receipts and executed commands valid', async () => {
    const [row] = await rowsOf<{ receipt: EventData<'receipt.issued'> }>(
      'select receipt from library.forgets where receipt_id = $1',
      before.receiptId,
    );
    const { signature, ...signed } = row!.receipt;
    const { publicKey, keyId } = (await (await vaultWith(next)).secrets()).signingKey;
    expect(signed.keyId).toBe(keyId);
    expect(verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(await store({ text: 'A plain text.' }, before.commandId)).toEqual(before.plain);
    await expect(store({ text: 'Another text.' }, before.commandId)).rejects.toMatchObject({
      code: 'idempotency.key_reused',
    });
  });

  it('rejects a start with the KEK that was rotated out', async () => {
    await expect(ingest.addReplica()).rejects.toMatchObject({ code: 'key.unavailable' });
  });
});

describe('a rotation while others write', () => {
  it('revives nothing, misses nothing, and rejects no caller', async () => {
    const third: KekConfig = { kek: createKek(), previousKeks: [next.kek] };
    const doomed = await Promise.all(Array.from({ length: 20 }, () => store({ text: longText(2) })));
    const replica = await restartWith(third);
    rotating = third;
    const forgotten = Promise.all(doomed.map(({ itemId }) => forget(itemId)));
    const stored = Promise.all(Array.from({ length: 20 }, () => store({ text: longText(2) })));
    const another = await rotationWorker();
    const [receipts] = await Promise.all([forgotten, stored, another.pass(), purge(third)]);
    await purge(third);
    await untilDone(replica);
    expect(await closedTo({ kek: third.kek })).toEqual({ KEYS: 0, library: 0 });
    for (const { receiptId } of receipts) {
      const [forgetting] = await findForgettings(ingest.pool, receiptId);
      expect((await findLeftovers(await stores(), forgetting!)).filter(({ left }) => left > 0)).toEqual([]);
    }
    await sameAfterReplay();
  }, 60_000);
});

describe('a key that opens with none of the given KEKs', () => {
  it('prevents the previous KEKs from being given up', async () => {
    const itemId = systemIds.next();
    const foreign = await vaultWith({ kek: createKek() });
    await foreign.keep(admin.workspaceId, itemId, foreign.mint(admin.workspaceId, itemId, []));
    const worker = await rotationWorker();
    await worker.pass();
    expect(worker.view()).toMatchObject({ rotation: 'running', checkedAt: null });
    await foreign.destroy(admin.workspaceId, itemId);
    await worker.pass();
    expect(worker.view().rotation).toBe('done');
  }, 30_000);
});

describe('an installation that is older than its secrets', () => {
  it('keeps the signing key and the hashes that were derived from its KEK', async () => {
    const { kek } = rotating;
    const older = await restartWith({ kek });
    const { streams } = await jetstreamManager(ingest.nats);
    await streams.purge(`KV_${KEYS_BUCKET}`, { filter: `$KV.${KEYS_BUCKET}.instance.secrets` });
    await ingest.removeReplica(older);
    const later = { kek: createKek(), previousKeks: [kek] };
    await ingest.addReplica(later);
    const derived = hkdfSync('sha256', Buffer.from(kek, 'base64'), admin.workspaceId, 'cairn:payload-hash:1', 32);
    const secrets = await (await vaultWith(later)).secrets();
    expect(secrets.payloadHash(admin.workspaceId, 'x')).toBe(keyedHash(new Uint8Array(derived), 'x'));
  }, 60_000);
});
