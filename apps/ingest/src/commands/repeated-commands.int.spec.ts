import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CommandData, LoggedCommandType, Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { itemData, tokenGrant } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { connectAccount } from '../series/series-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
}, 60_000);
afterAll(() => ingest.stop());

const store = (text: string) => ingest.command(admin, 'item.store', itemData({ text }));

const issued = async (): Promise<string> => {
  const grant = tokenGrant();
  await ingest.command(admin, 'token.issue', grant);
  return grant.tokenId;
};

const newFolder = (slug: string): CommandData<'folder.create'> => ({
  folderId: systemIds.next(),
  slug,
  name: slug,
  tier: 'personal',
  maxTokensPerRecall: null,
  readme: '',
});

const madeFolder = async (slug: string): Promise<string> => {
  const folder = newFolder(slug);
  await ingest.command(admin, 'folder.create', folder);
  return folder.folderId;
};

const documentOf = (accountId: string, more: Partial<CommandData<'item.sync'>> = {}): CommandData<'item.sync'> => ({
  accountId,
  ref: 'a.md',
  version: '1',
  retention: 'metadata',
  kind: 'file',
  title: 'A plan',
  text: 'A plan of the harbour.',
  ...more,
});

const asked = async (text: string): Promise<string> => {
  const memory = { text, label: 'x', kind: 'clip' as const, name: 'No folder of this name' };
  const answer = await ingest.command(admin, 'item.remember', memory);
  if (answer.outcome !== 'waiting') throw new Error('it was stored');
  return answer.confirmationId;
};

type Sent = { [T in LoggedCommandType]: { readonly type: T; readonly data: CommandData<T> } }[LoggedCommandType];

const send = ({ type, data }: Sent, id: string): Promise<unknown> => ingest.command(admin, type, data, id);

/** Two valid requests that differ in one field. */
const PAIRS: Record<string, () => Promise<readonly [Sent, Sent]>> = {
  'two tokens to revoke': async () => [
    { type: 'token.revoke', data: { tokenId: await issued() } },
    { type: 'token.revoke', data: { tokenId: await issued() } },
  ],
  'two items to forget': async () => [
    { type: 'item.forget', data: { itemId: (await store('One.')).itemId, surface: 'rest' } },
    { type: 'item.forget', data: { itemId: (await store('Two.')).itemId, surface: 'rest' } },
  ],
  'two chunks to forget': async () => [
    { type: 'chunk.forget', data: { chunkId: (await store('One.')).chunkIds[0]!, surface: 'rest' } },
    { type: 'chunk.forget', data: { chunkId: (await store('Two.')).chunkIds[0]!, surface: 'rest' } },
  ],
  'an item and a chunk to forget': async () => [
    { type: 'item.forget', data: { itemId: (await store('One.')).itemId, surface: 'rest' } },
    { type: 'chunk.forget', data: { chunkId: (await store('Two.')).chunkIds[0]!, surface: 'rest' } },
  ],
  'two changes of a folder': async () => {
    const folderId = await madeFolder('changed-twice');
    return [
      { type: 'folder.configure', data: { folderId, name: 'Renamed' } },
      { type: 'folder.configure', data: { folderId, tier: 'sensitive' } },
    ];
  },
  'one change of two folders': async () => [
    { type: 'folder.configure', data: { folderId: await madeFolder('changed-a'), name: 'Renamed' } },
    { type: 'folder.configure', data: { folderId: await madeFolder('changed-b'), name: 'Renamed' } },
  ],
  'two folders': () =>
    Promise.resolve([
      { type: 'folder.create', data: newFolder('made-once') },
      { type: 'folder.create', data: newFolder('made-twice') },
    ]),
  'two limits': () =>
    Promise.resolve([
      { type: 'quota.set', data: { name: 'knowledge_stored', limit: 1_000 } },
      { type: 'quota.set', data: { name: 'knowledge_stored', limit: 2_000 } },
    ]),
  'two entries that replace one': async () => {
    const [old, one, two] = [await store('Old.'), await store('One.'), await store('Two.')];
    return [
      { type: 'item.supersede', data: { oldId: old.itemId, newId: one.itemId } },
      { type: 'item.supersede', data: { oldId: old.itemId, newId: two.itemId } },
    ];
  },
  'two titles of an item': async () => {
    const { itemId } = await store('Titled.');
    return [
      { type: 'item.update', data: { itemId, title: 'One' } },
      { type: 'item.update', data: { itemId, title: 'Two' } },
    ];
  },
  'two texts to store': () =>
    Promise.resolve([
      { type: 'item.store', data: itemData({ text: 'One.' }) },
      { type: 'item.store', data: itemData({ text: 'Two.' }) },
    ]),
  'two labels of a memory': () =>
    Promise.resolve([
      { type: 'item.remember', data: { text: 'One.', label: 'One', kind: 'clip' } },
      { type: 'item.remember', data: { text: 'One.', label: 'Two', kind: 'clip' } },
    ]),
  'two states of a document': async () => {
    const accountId = await connectAccount(ingest, admin, 'folder');
    return [
      { type: 'item.sync', data: documentOf(accountId) },
      { type: 'item.sync', data: documentOf(accountId, { version: '2' }) },
    ];
  },
  'two confirmations': async () => [
    { type: 'confirmation.resolve', data: { confirmationId: await asked('One.'), action: 'dismiss' } },
    { type: 'confirmation.resolve', data: { confirmationId: await asked('Two.'), action: 'dismiss' } },
  ],
};

describe('a command id', () => {
  it.each(Object.entries(PAIRS))('answers a repeat, and rejects another request: %s', async (_, pair) => {
    const [[first, other], id] = [await pair(), systemIds.next()];
    const answer = await send(first, id);
    const head = await ingest.log.head();
    expect(await send(first, id)).toEqual(answer);
    await expect(send(other, id)).rejects.toMatchObject({
      code: 'idempotency.key_reused',
      details: { field: 'Idempotency-Key' },
    });
    expect(await ingest.log.head()).toBe(head);
    await send(other, systemIds.next());
    expect(await ingest.log.head()).toBeGreaterThan(head);
  });

  it('identifies the request whose secret was shown, whatever the secret of the repeat', async () => {
    const [id, grant] = [systemIds.next(), tokenGrant()];
    const answer = await ingest.command(admin, 'token.issue', grant, id);
    const { tokenId, secretHash, expiresAt } = tokenGrant({ expiresAt: '2098-01-01T00:00:00.000Z' });
    expect(await ingest.command(admin, 'token.issue', { ...grant, tokenId, secretHash, expiresAt }, id)).toEqual(
      answer,
    );
    await expect(
      ingest.command(admin, 'token.issue', { ...grant, name: 'Another', scopes: ['write'] }, id),
    ).rejects.toMatchObject({ code: 'idempotency.key_reused' });
  });

  it('answers a repeated sync with the items that are still to be forgotten', async () => {
    const accountId = await connectAccount(ingest, admin, 'folder');
    const old = [await ingest.command(admin, 'item.sync', documentOf(accountId))];
    old.unshift(await ingest.command(admin, 'item.sync', documentOf(accountId, { version: '2' })));
    await ingest.command(admin, 'account.configure', { accountId, retention: 'dark' });
    const [id, data] = [systemIds.next(), documentOf(accountId, { version: '2', retention: 'dark' })];
    const answer = await ingest.command(admin, 'item.sync', data, id);
    expect(answer).toMatchObject({ outcome: 'stored', looserIds: old.map(({ itemId }) => itemId) });
    expect(await ingest.command(admin, 'item.sync', data, id)).toEqual(answer);
    await ingest.command(admin, 'item.forget', { itemId: old[0]!.itemId, surface: 'rest' });
    const looserIds = [old[1]!.itemId];
    expect(await ingest.command(admin, 'item.sync', data, id)).toEqual({ ...answer, looserIds });
  });

  it('distinguishes a repeat from another request after the library is rebuilt, too', async () => {
    const [[first, other], id] = [await PAIRS['two tokens to revoke']!(), systemIds.next()];
    const answer = await send(first, id);
    await ingest.pool.query(`update cairn.projections set layout = 'older' where name = 'library'`);
    await ingest.removeReplica(ingest.replicas[0]!);
    await ingest.addReplica();
    expect(await send(first, id)).toEqual(answer);
    await expect(send(other, id)).rejects.toMatchObject({ code: 'idempotency.key_reused' });
  }, 60_000);

  it('leaves a keyed hash in the log and no content, and not even the hash once the item is forgotten', async () => {
    const { itemId } = await store('A rare word.');
    const hashes = async () => {
      const { rows } = await ingest.pool.query<{ hash: string | null }>(
        `select payload_hash as hash from library.commands where entity_id = $1
         union all select convert_from(body, 'UTF8')::jsonb ->> 'payloadHash' from archive.ops where item_id = $1`,
        [itemId],
      );
      return rows.map(({ hash }) => hash);
    };
    const [kept, inLog] = await hashes();
    expect(kept).toMatch(/^[0-9a-f]{64}$/);
    expect(inLog).toBe(kept);
    await ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });
    expect((await hashes()).filter((hash) => hash === kept)).toEqual([]);
    const { rows } = await ingest.pool.query<{ bodies: string }>(
      `select string_agg(convert_from(body, 'UTF8'), '') as bodies from archive.ops where item_id = $1`,
      [itemId],
    );
    expect(rows[0]!.bodies).not.toContain(kept);
  });
});
