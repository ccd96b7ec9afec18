import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorableKind, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { nextSlotName, PROJECTIONS, type DeadRows } from '@cairn/projections';
import { keyedHash, sealVector } from '@cairn/vault';
import { itemData, longText } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { replayBeside, untilAllFollow } from '../rebuilt.harness.js';
import { activityOn, connectAccount as connectSeries, imported } from '../series/series-under-test.harness.js';
import { leftOf, NOTHING_LEFT, purgeWith } from './erasure-under-test.harness.js';

/** Tables that belong to no projection. They hold positions, receipt ids, secrets of the installation, names of migrations. */
const SERVICE_TABLES = ['projections', 'builds', 'erasures', 'secrets']
  .map((table) => `cairn.${table}`)
  .concat('public.cairn_migrations');

const WORD = `wq${randomBytes(8).toString('hex')}`;
const BYTES_MIN = 16;

let ingest: IngestUnderTest;
let admin: Principal;
/**
 * The traces of the items in the tables before they were forgotten: the word, sealed texts, wrapped keys, hashes,
 * vectors.
 */
let canaries: { readonly table: string; readonly column: string; readonly value: string }[];
let filesBefore: ReadonlyMap<string, string>;
let receiptIds: string[];

const rowsOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows;

/** Read from the catalogue instead of the list of projections, so a table that no projection declares is found too. */
const tablesWithFiles = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = await rowsOf<{ name: string; file: string }>(
    `select schemaname || '.' || tablename as name, pg_relation_filepath(format('%I.%I', schemaname, tablename)) as file
     from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by name`,
  );
  return new Map(rows.map(({ name, file }) => [name, file]));
};

const declared: ReadonlyMap<string, DeadRows> = new Map(
  PROJECTIONS.flatMap(({ name, purges }) =>
    [name, nextSlotName(name)].flatMap((slot) =>
      Object.entries(purges).map(([table, deadRows]) => [`${slot}.${table}`, deadRows] as const),
    ),
  ),
);

/** The part of a value that must not survive: bytes as Postgres shows them, the word, a vector. */
const canaryIn = (value: unknown): string | undefined => {
  if (Buffer.isBuffer(value)) return value.length >= BYTES_MIN ? value.toString('hex') : undefined;
  const text = JSON.stringify(value)?.toLowerCase() ?? '';
  if (text.includes(WORD)) return WORD;
  return /^"\[[-\d.,e]+\]"$/.test(text) ? text.slice(1, -1) : undefined;
};

/** Rows that contain one of the ids or the word, and everything in them that must not survive. */
const canariesOf = async (ids: readonly string[]): Promise<typeof canaries> => {
  const found: typeof canaries = [];
  for (const table of (await tablesWithFiles()).keys()) {
    const rows = await rowsOf<Record<string, unknown>>(
      `select * from ${table} t where lower(t::text) ~ any ($1::text[])`,
      [...ids, WORD],
    );
    for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
      const canary = canaryIn(value);
      if (canary !== undefined) found.push({ table, column, value: canary });
    }
  }
  return found;
};

const embed = async (itemId: string, chunkId: string, isRefused: boolean): Promise<void> => {
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
    vector: isRefused ? null : sealVector(key, admin.workspaceId, chunkId, vector).toString('base64'),
  });
};

/** Statements about a chunk: an edge, a verdict on it, and a merge of its names. */
const stateAndMerge = async (itemId: string, chunkId: string): Promise<void> => {
  const edge = { subject: `Person ${WORD}`, predicate: `knows_${WORD}`, object: 'Meridian Labs' };
  await ingest.command(admin, 'edge.observe', { chunkId, edges: [edge], surface: 'rest' });
  const evidence = [{ itemId, chunkId, edgeRef: 'ab'.repeat(32) }];
  await ingest.command(admin, 'edge.review', { edgeId: systemIds.next(), evidence, verdict: 'rejected' });
  const places = [{ itemId, chunkId }];
  const names = { alias: [`Person ${WORD}`], canonical: [`P ${WORD}`] };
  const merge = { mergeId: systemIds.next(), alias: places, canonical: places, names };
  await ingest.command(admin, 'entity.merge', merge);
};

/** Items of every kind, with the word in every text field; one of them was changed and corrected. */
const storeItems = async (): Promise<{ itemId: string; chunkIds: readonly string[] }[]> => {
  const text = `Alice ${WORD} works at Meridian Labs. ${longText(3)}`;
  const stored = [];
  for (const kind of StorableKind.options) {
    const data = { kind, text, title: `About ${WORD}`, tags: [WORD], clientToken: systemIds.next() };
    stored.push(await ingest.command(admin, 'item.store', itemData(data)));
  }
  const [{ itemId, chunkIds }] = stored as [(typeof stored)[number]];
  await ingest.command(admin, 'item.update', { itemId, title: `More about ${WORD}` });
  const instruction = `replace Meridian with ${WORD}`;
  const { correctionId } = await ingest.propose(admin, { chunkId: chunkIds[0]!, instruction });
  await ingest.command(admin, 'chunk.correct', { correctionId });
  const links = [{ fromItemId: itemId, toItemId: stored[1]!.itemId, type: 'supports' as const, confidence: 1 }];
  await ingest.command(admin, 'link.add', { links, surface: 'rest' });
  for (const [i, chunkId] of chunkIds.entries()) await embed(itemId, chunkId, i === 0);
  await stateAndMerge(itemId, chunkIds[1]!);
  return stored;
};

const waitingText = async (): Promise<string> => {
  const data = { text: `Waiting ${WORD}`, label: WORD, kind: 'clip', name: `Folder ${systemIds.next()}` } as const;
  const answer = await ingest.command(admin, 'item.remember', data);
  if (answer.outcome !== 'waiting') throw new Error('the text was stored at once');
  return answer.confirmationId;
};

/** A server is removed, not forgotten: its ops stay in the archive, under a key that is destroyed. */
const registerServer = async (): Promise<string> => {
  const { serverId } = await ingest.command(admin, 'server.register', {
    serverId: systemIds.next(),
    name: 'external',
    url: `https://mcp.example.com/${WORD}`,
    transport: 'auto',
    credential: { kind: 'bearer', value: WORD },
    enabled: true,
    approval: 'first-use',
  });
  return serverId;
};

/** An account is disconnected, not forgotten, like a server. */
const connectAccount = async (): Promise<string> => {
  const { accountId } = await ingest.command(admin, 'account.connect', {
    accountId: systemIds.next(),
    connectorId: 'folder',
    label: WORD,
    retention: 'hollow',
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings: { path: `/srv/${WORD}` },
    credential: WORD,
    multiAccount: true,
  });
  return accountId;
};

/** Rows of a series, some of them in a roll-up; the word is their category. */
const storeSeries = async (): Promise<string[]> => {
  const accountId = await connectSeries(ingest, admin);
  const rows = [0, 40].map((day) => activityOn(day, day, { category: WORD }));
  await imported(ingest, admin, accountId, rows);
  await ingest.command(admin, 'observations.purge', {
    accountId,
    before: '2026-02-01T00:00:00Z',
    keepAggregates: true,
  });
  const batches = await rowsOf<{ id: string }>(
    'select item_id as id from substrate.batches where account_id = $1',
    accountId,
  );
  return batches.map(({ id }) => id);
};

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
  const stored = await storeItems();
  const confirmationId = await waitingText();
  const serverId = await registerServer();
  const accountId = await connectAccount();
  const seriesIds = await storeSeries();
  await untilAllFollow(ingest.stores);
  await replayBeside(ingest.stores);
  canaries = await canariesOf([
    ...stored.flatMap(({ itemId, chunkIds }) => [itemId, ...chunkIds]),
    confirmationId,
    ...seriesIds,
  ]);
  canaries.push(...(await canariesOf([serverId])).filter(({ table }) => table.endsWith('.external_mcp_servers')));
  canaries.push(...(await canariesOf([accountId])).filter(({ table }) => table.endsWith('.accounts')));
  await ingest.command(admin, 'server.remove', { serverId });
  await ingest.command(admin, 'account.disconnect', { accountId });
  const { itemId } = await ingest.command(admin, 'confirmation.resolve', { confirmationId, action: 'create' });
  const itemIds = [...stored.map((item) => item.itemId), ...seriesIds, itemId!];
  receiptIds = [];
  for (const id of itemIds)
    receiptIds.push((await ingest.command(admin, 'item.forget', { itemId: id, surface: 'rest' })).receiptId);
  await untilAllFollow(ingest.stores);
  filesBefore = await tablesWithFiles();
  await purgeWith(ingest);
}, 120_000);
afterAll(() => ingest.stop());

describe('every table of every projection, live and rebuilt', () => {
  it('held traces of the items before they were forgotten, unless it holds ids or settings', () => {
    const holding = new Set(canaries.map(({ table }) => table));
    const mayHold = [...declared].filter(([, deadRows]) => deadRows === 'rewritten' || deadRows === 'ciphertext');
    expect(mayHold.map(([table]) => table).filter((table) => !holding.has(table))).toEqual([]);
  });

  it('held only keyed hashes of them if it is declared to hold ids or settings, and not the word if ciphertext', () => {
    const contradictions = canaries.filter(({ table, column, value }) => {
      const deadRows = declared.get(table) ?? 'ids';
      if (deadRows === 'ciphertext') return value === WORD || column === 'wrapped_key';
      return deadRows !== 'rewritten' && !column.endsWith('_hash');
    });
    expect([...new Set(contradictions.map(({ table, column }) => `${table}.${column}`))]).toEqual([]);
  });

  it('[N-59] holds nothing of the items after they were forgotten', async () => {
    const values = [...new Set([WORD, ...canaries.map(({ value }) => value)])];
    const survivors: string[] = [];
    for (const table of (await tablesWithFiles()).keys()) {
      const found = await rowsOf<{ value: string }>(
        `select value from unnest($1::text[]) as x(value)
         where exists (select from ${table} t where position(value in lower(t::text)) > 0)`,
        values,
      );
      survivors.push(...found.map(({ value }) => `${table}: ${value.slice(0, 40)}`));
    }
    expect(survivors).toEqual([]);
    for (const receiptId of receiptIds) expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
  });

  it('is rewritten by a purge, or declared to hold ciphertext, ids or settings only', async () => {
    const filesNow = await tablesWithFiles();
    const kept = [...filesNow.keys()].filter(
      (table) => filesNow.get(table) === filesBefore.get(table) && !SERVICE_TABLES.includes(table),
    );
    expect(kept.filter((table) => (declared.get(table) ?? 'rewritten') === 'rewritten')).toEqual([]);
    expect([...declared.keys()].filter((table) => !filesNow.has(table))).toEqual([]);
  });

  it('declares every wrapped key that it holds', async () => {
    const columns = await rowsOf<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.columns
       where column_name = 'wrapped_key' and table_schema not like '%\\_next' order by name`,
    );
    const known = PROJECTIONS.flatMap(({ name, wrappedKeys }) =>
      wrappedKeys === 'nothing' ? [] : wrappedKeys.map(({ table }) => `${name}.${table}`),
    );
    expect(columns.map(({ name }) => name)).toEqual(known.sort());
  });
});
