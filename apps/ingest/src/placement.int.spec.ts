import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CommandData, Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { openMeta } from '@cairn/vault';
import { itemData, longText, tokenGrant } from './command-data.builder.js';
import { nextSlotName } from '@cairn/projections';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { hashesOf, OP_PROJECTIONS, rebuilt, replayBeside, untilAllFollow } from './rebuilt.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;
let inbox: string;
let notes: string;

const rowsOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows;

const addFolder = async (principal: Principal): Promise<string> => {
  const folderId = systemIds.next();
  const folder = { name: 'N', tier: 'personal' as const, maxTokensPerRecall: null, readme: '', slug: `f-${folderId}` };
  await ingest.command(principal, 'folder.create', { folderId, ...folder });
  return folderId;
};

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
  const [first] = await rowsOf<{ id: string }>(
    'select id from library.folders where workspace_id = $1',
    admin.workspaceId,
  );
  [inbox, notes] = [first!.id, await addFolder(admin)];
}, 60_000);
afterAll(() => ingest.stop());

const store = async (more: Partial<CommandData<'item.store'>> = {}): Promise<string> =>
  (await ingest.command(admin, 'item.store', itemData(more))).itemId;

const update = (itemId: string, change: Omit<CommandData<'item.update'>, 'itemId'>, id?: string) =>
  ingest.command(admin, 'item.update', { itemId, ...change }, id);

const opsOf = async (itemId: string): Promise<string[]> =>
  (await rowsOf<{ type: string }>('select type from archive.ops where item_id = $1 order by position', itemId)).map(
    ({ type }) => type,
  );

/** Everything that search could read about an item. */
const indexedOf = async (itemId: string) => ({
  chunks: await rowsOf(
    `select id, workspace_id, folder_id, item_id, text_hash, superseded, expires_at, tags, tokens, title, words
       from library.chunks where item_id = $1 order by id`,
    itemId,
  ),
  documents: await rowsOf('select * from lexical.documents where item_id = $1 order by chunk_id', itemId),
});

const countOf = async (folderId: string): Promise<number> =>
  (await rowsOf<{ n: number }>('select chunk_count as n from library.folders where id = $1', folderId))[0]!.n;

describe('taking an item out of the knowledge base', () => {
  it.each([1, 90])(
    '[G-28] [G-29] leaves nothing of its %i chunks in what search reads, and putting it back restores all of it',
    async (n) => {
      const itemId = await store({ text: longText(n), title: 'Flipped', tags: ['some-tag'] });
      const [before, counted] = [await indexedOf(itemId), await countOf(inbox)];
      expect(before.chunks.length).toBeGreaterThanOrEqual(n === 1 ? 1 : 65);
      expect(before.documents).toHaveLength(before.chunks.length);
      await update(itemId, { inKb: false });
      expect(await indexedOf(itemId)).toEqual({ chunks: [], documents: [] });
      expect(await countOf(inbox)).toBe(counted - before.chunks.length);
      expect(await rowsOf('select in_kb from library.items where id = $1', itemId)).toEqual([{ in_kb: false }]);
      await update(itemId, { inKb: true });
      expect(await indexedOf(itemId)).toEqual(before);
      expect(await countOf(inbox)).toBe(counted);
    },
  );

  it('[G-29] indexes an item that was stored outside the knowledge base when it is added to it', async () => {
    const itemId = await store({ inKb: false, text: longText(3), expiresAt: '2099-01-01T00:00:00.000Z' });
    expect(await indexedOf(itemId)).toEqual({ chunks: [], documents: [] });
    await update(itemId, { inKb: true, folderId: notes });
    const { chunks, documents } = await indexedOf(itemId);
    expect(documents).toHaveLength(chunks.length);
    for (const row of [...chunks, ...documents])
      expect(row).toMatchObject({ folder_id: notes, superseded: false, expires_at: new Date('2099-01-01T00:00:00Z') });
  });

  it('brings an item back as superseded if it was superseded meanwhile', async () => {
    const [oldId, newId] = [await store(), await store()];
    await update(oldId, { inKb: false });
    await ingest.command(admin, 'item.supersede', { oldId, newId });
    await update(oldId, { inKb: true });
    const { chunks, documents } = await indexedOf(oldId);
    for (const row of [chunks[0], documents[0]]) expect(row).toMatchObject({ superseded: true });
    await update(oldId, { title: 'Another title' });
    expect((await indexedOf(oldId)).documents[0]).toMatchObject({ superseded: true });
  });
});

describe('moving an item', () => {
  it('moves its chunks without repeating them in the log, and counts them in their new folder', async () => {
    const itemId = await store({ text: longText(3) });
    const [before, from, to] = [await indexedOf(itemId), await countOf(inbox), await countOf(notes)];
    await update(itemId, { folderId: notes });
    const inNotes = (rows: object[]) => rows.map((row) => ({ ...row, folder_id: notes }));
    expect(await indexedOf(itemId)).toEqual({ chunks: inNotes(before.chunks), documents: inNotes(before.documents) });
    const n = before.chunks.length;
    expect([await countOf(inbox), await countOf(notes)]).toEqual([from - n, to + n]);
    const [op] = await rowsOf<{ body: Buffer }>(
      `select body from archive.ops where item_id = $1 and type = 'item.placed'`,
      itemId,
    );
    expect(JSON.parse(op!.body.toString()).data).toMatchObject({ folderId: notes, chunks: [] });
  });

  it('also works outside the knowledge base', async () => {
    const itemId = await store({ inKb: false });
    await update(itemId, { folderId: notes });
    expect(await rowsOf('select folder_id from library.items where id = $1', itemId)).toEqual([{ folder_id: notes }]);
    expect(await indexedOf(itemId)).toEqual({ chunks: [], documents: [] });
  });

  it('is not found in another workspace, whatever is changed', async () => {
    const itemId = await store();
    const stranger = await ingest.workspace();
    for (const change of [{ inKb: false }, { title: 'Mine' }, { tags: [] }])
      await expect(ingest.command(stranger, 'item.update', { itemId, ...change })).rejects.toMatchObject({
        code: 'item.not_found',
        details: { field: 'id' },
      });
    await expect(update(itemId, { folderId: await addFolder(stranger) })).rejects.toMatchObject({
      code: 'folder.not_found',
      details: { field: 'folderId' },
    });
    expect(await opsOf(itemId)).toEqual(['item.stored']);
  });
});

describe('renaming an item', () => {
  it('changes title, tags and words wherever they are stored, and records when', async () => {
    const itemId = await store({
      title: 'Old words',
      tags: ['old'],
      text: longText(90),
      source: { kind: 'url', uri: 'https://a.example' },
    });
    const [stored] = await rowsOf<{ updated_at: Date }>('select updated_at from library.items where id = $1', itemId);
    await update(itemId, { title: 'Fresh heading', tags: ['new', 'newer'] });
    const [row] = await rowsOf<{ meta: Buffer; updated_at: Date }>('select * from library.items where id = $1', itemId);
    const keys = await ingest.vault.get(admin.workspaceId, itemId);
    expect(openMeta(keys.item, admin.workspaceId, itemId, row!.meta)).toEqual({
      title: 'Fresh heading',
      tags: ['new', 'newer'],
      sourceUri: 'https://a.example',
    });
    expect(row!.updated_at.getTime()).toBeGreaterThan(stored!.updated_at.getTime());
    const { chunks, documents } = await indexedOf(itemId);
    expect(chunks.length).toBeGreaterThan(64);
    for (const chunk of chunks)
      expect(chunk).toMatchObject({ tags: ['new', 'newer'], words: expect.stringContaining('heading') });
    expect(chunks.filter((chunk) => (chunk as { title: string | null }).title === 'Fresh heading')).toHaveLength(1);
    for (const document of documents)
      expect(document).toMatchObject({ body: expect.stringMatching(/^fresh heading /) });
    expect(await opsOf(itemId)).toEqual(['item.stored', 'item.extended', 'item.placed', 'item.extended']);
  });

  it('keeps one field when the other is changed', async () => {
    const itemId = await store({ title: 'Kept', tags: ['gone'] });
    await update(itemId, { tags: [] });
    expect((await indexedOf(itemId)).chunks[0]).toMatchObject({ title: 'Kept', tags: [] });
  });
});

describe('changing nothing', () => {
  it('adds no op', async () => {
    const itemId = await store({ title: 'Same', tags: ['same'] });
    const same = { folderId: inbox, inKb: true, title: 'Same', tags: ['same'] };
    expect(await update(itemId, same)).toEqual({ itemId, position: await ingest.log.head(admin.workspaceId) });
    expect(await opsOf(itemId)).toEqual(['item.stored']);
  });

  it('is the effect of a repeated command, while other content under its id is rejected', async () => {
    const [itemId, id] = [await store(), systemIds.next()];
    const first = await update(itemId, { title: 'Once' }, id);
    await update(itemId, { title: 'Meanwhile' });
    expect(await update(itemId, { title: 'Once' }, id)).toEqual(first);
    expect((await indexedOf(itemId)).chunks[0]).toMatchObject({ title: 'Meanwhile' });
    await expect(update(itemId, { title: 'Twice' }, id)).rejects.toMatchObject({ code: 'idempotency.key_reused' });
  });
});

describe('the quota knowledge_stored', () => {
  const quotaOf = async ({ workspaceId }: Principal) =>
    (await rowsOf('select max_used, used from library.quotas where workspace_id = $1', workspaceId))[0];
  const setQuota = (principal: Principal, limit: number | null) =>
    ingest.command(principal, 'quota.set', { name: 'knowledge_stored', limit });
  const storeMany = async (principal: Principal, n: number, replicas = ingest.replicas.slice(0, 1)) => {
    const attempts = Array.from({ length: n }, (_, i) => {
      const replica = replicas[i % replicas.length]!;
      return ingest.command(principal, 'item.store', itemData({ title: `Entry ${i}` }), systemIds.next(), replica);
    });
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    return { stored: n - refused.length, codes: new Set(refused.map(({ reason }) => reason.code)) };
  };

  it('[D-22] gives the last place to one of many concurrent stores', async () => {
    const principal = await ingest.workspace();
    await storeMany(principal, 2);
    await setQuota(principal, 3);
    expect(await storeMany(principal, 20)).toEqual({ stored: 1, codes: new Set(['quota.exceeded']) });
    expect(await quotaOf(principal)).toEqual({ max_used: 3, used: 3 });
    expect(await ingest.count('items', principal)).toBe(3);
  });

  it('[D-22] holds across groups in progress while the next one is decided', async () => {
    const principal = await ingest.workspace();
    await setQuota(principal, 150);
    expect(await storeMany(principal, 300)).toEqual({ stored: 150, codes: new Set(['quota.exceeded']) });
    expect(await ingest.count('items', principal)).toBe(150);
  }, 60_000);

  it('[D-22] holds when two processes write', async () => {
    const principal = await ingest.workspace();
    const second = await ingest.addReplica();
    await setQuota(principal, 5);
    const { stored } = await storeMany(principal, 24, ingest.replicas);
    expect(stored).toBeLessThanOrEqual(5);
    expect(await ingest.count('items', principal)).toBe(stored);
    expect(await quotaOf(principal)).toEqual({ max_used: 5, used: stored });
    await ingest.removeReplica(second);
  }, 60_000);

  it('[D-23] counts what was stored, not what was rejected, and never documents', async () => {
    const principal = await ingest.workspace();
    await storeMany(principal, 2);
    const nowhere = ingest.command(principal, 'item.store', itemData({ folderId: systemIds.next() }));
    await expect(nowhere).rejects.toMatchObject({ code: 'folder.not_found' });
    await setQuota(principal, 2);
    await expect(ingest.command(principal, 'item.store', itemData())).rejects.toMatchObject({
      code: 'quota.exceeded',
      details: { quota: 'knowledge_stored', limit: 2 },
    });
    await ingest.command(principal, 'item.store', itemData({ kind: 'document' }));
    expect(await quotaOf(principal)).toEqual({ max_used: 2, used: 2 });
    await setQuota(principal, null);
    expect(await storeMany(principal, 1)).toMatchObject({ stored: 1 });
    expect(await quotaOf(principal)).toEqual({ max_used: null, used: 3 });
  });
});

describe('after many concurrent changes by two processes', () => {
  it('[G-29] the indexes agree with the items, and a rebuild from scratch produces the same', async () => {
    const second = await ingest.addReplica();
    const items = await Promise.all([1, 3, 90].map((n) => store({ text: longText(n) })));
    const replacement = await store();
    const changes = [
      { inKb: false },
      { inKb: true },
      { folderId: notes },
      { folderId: inbox },
      { title: 'One' },
      { title: 'Two', tags: ['b'] },
      { inKb: true, folderId: notes, title: 'Three' },
    ];
    const writes = items.flatMap((itemId) =>
      [...changes, ...changes].map((change, i) =>
        ingest.command(admin, 'item.update', { itemId, ...change }, systemIds.next(), ingest.replicas[i % 2]),
      ),
    );
    const supersede = ingest.command(admin, 'item.supersede', { oldId: items[1]!, newId: replacement });
    const secret = await addFolder(admin);
    const tiers = (['sensitive', 'public', 'sensitive'] as const).map((tier) =>
      ingest.command(admin, 'folder.configure', { folderId: secret, tier }),
    );
    const hidden = [items[0]!, items[2]!].map((itemId) => update(itemId, { folderId: secret }));
    const outcomes = await Promise.allSettled([...writes, supersede, ...tiers, ...hidden]);
    const lost = outcomes
      .filter(({ status }) => status === 'rejected')
      .map((outcome) => (outcome as { reason: { code: string } }).reason.code);
    expect(lost.filter((code) => code !== 'oplog.conflict')).toEqual([]);
    await ingest.removeReplica(second);

    expect(
      await rowsOf(`select f.id from library.folders f where (f.item_count, f.chunk_count, f.token_count) <> (
        select (select count(*) from library.items i where i.folder_id = f.id and i.in_kb), count(b), coalesce(sum(b.tokens), 0)
        from library.chunks c join library.bodies b on b.chunk_id = c.id where c.folder_id = f.id)`),
    ).toEqual([]);
    expect(
      await rowsOf(`select i.id from library.items i
        left join lateral (select count(*) as n,
            bool_and(c.folder_id = i.folder_id and c.superseded = (i.superseded_by_id is not null)) as fits
          from library.chunks c where c.item_id = i.id) c on true
        where c.n <> case when i.in_kb then i.chunk_count else 0 end or c.fits is false`),
    ).toEqual([]);
    expect(
      await rowsOf(`select coalesce(c.id, d.chunk_id) as id from library.chunks c
        full join lexical.documents d on d.chunk_id = c.id and d.folder_id = c.folder_id and d.superseded = c.superseded
        where c.id is null or d.chunk_id is null`),
    ).toEqual([]);
    await ingest.command(admin, 'folder.configure', { folderId: secret, tier: 'sensitive' });
    await update(items[0]!, { folderId: secret, inKb: true });
    expect(
      await rowsOf(`select d.chunk_id from lexical.documents d join library.folders f on f.id = d.folder_id
        where d.sensitive <> (f.tier = 'sensitive')`),
    ).toEqual([]);
    expect(await rowsOf('select from lexical.documents where item_id = $1 and sensitive', items[0])).toHaveLength(1);
    const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
    expect(next).toEqual(live);
  }, 120_000);

  it('ops that were applied before change nothing', async () => {
    const itemId = await store({ text: longText(2) });
    await update(itemId, { inKb: false });
    await update(itemId, { inKb: true, folderId: notes, title: 'Again' });
    await untilAllFollow(ingest.stores, OP_PROJECTIONS);
    await replayBeside(ingest.stores, OP_PROJECTIONS);
    await ingest.pool.query(`update cairn.projections set position = 0 where name like '%_next'`);
    await replayBeside(ingest.stores, OP_PROJECTIONS);
    expect(await hashesOf(ingest.stores, nextSlotName, OP_PROJECTIONS)).toEqual(
      await hashesOf(ingest.stores, (name) => name, OP_PROJECTIONS),
    );
  }, 60_000);
});

describe('a token limited to the knowledge base', () => {
  it('neither stores nor sees items outside of it', async () => {
    const kbOnly: Principal = { ...admin, tokenId: tokenGrant().tokenId, scopes: ['read', 'write'], kbOnly: true };
    await expect(ingest.command(kbOnly, 'item.store', itemData({ inKb: false }))).rejects.toMatchObject({
      code: 'item.kb_only',
    });
    const outside = await store({ inKb: false });
    await expect(ingest.command(kbOnly, 'item.update', { itemId: outside, inKb: true })).rejects.toMatchObject({
      code: 'item.not_found',
    });
    const { itemId } = await ingest.command(kbOnly, 'item.store', itemData());
    await expect(ingest.command(kbOnly, 'item.update', { itemId, inKb: false })).rejects.toMatchObject({
      code: 'item.kb_only',
    });
    expect(await ingest.command(kbOnly, 'item.update', { itemId, title: 'Allowed' })).toMatchObject({ itemId });
  });
});
