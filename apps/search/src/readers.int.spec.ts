import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemPrincipal, type DomainEvent, type EventData, type Principal, type QueryData } from '@cairn/contracts';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { sealMeta, sealText } from '@cairn/vault';
import { ItemReader } from './items/item-reader.js';
import { GET_BODIES } from './items/item-rows.js';
import { ListingReader } from './listings/listing-reader.js';
import { TokenResolver } from './listings/token-resolver.js';
import { LIST_OPS, OpReader } from './ops/op-reader.js';

let library: SeededLibrary;
let items: ItemReader;
let listings: ListingReader;
let tokens: TokenResolver;
let ops: OpReader;
let workspaceId: string;
let folderId: string;
let admin: Principal;
let modelInUse: string | null = null;

const ANY_VECTOR = [1, ...Array.from({ length: 383 }, () => 0)];

const item = (title: string, texts: readonly string[], more: object = {}) => {
  const chunks = texts.map((text) => ({ text, vector: ANY_VECTOR }));
  return library.item({ workspaceId, folderId, title, chunks, ...more });
};

beforeAll(async () => {
  library = await SeededLibrary.start();
  const { pool, vault, database } = library;
  items = new ItemReader(pool, vault, { id: () => Promise.resolve(modelInUse) });
  ops = new OpReader(pool, vault);
  [listings, tokens] = [new ListingReader(database.orm), new TokenResolver(database.orm)];
  workspaceId = await library.workspace();
  folderId = await library.folder({ workspaceId });
  admin = systemPrincipal(workspaceId);
}, 60_000);
afterAll(() => library.stop());

describe('items', () => {
  it('are read with their whole text and their embedding status', async () => {
    const { itemId, chunkIds } = await item('Whole', ['first part, ', 'second part']);
    const detail = await items.get(admin, { itemId, surface: 'mcp' });
    expect(detail).toMatchObject({ id: itemId, title: 'Whole', content: 'first part, second part', inKb: true });
    expect(detail.chunks.map(({ id }) => id)).toEqual(chunkIds);
    expect(detail.embeddingStatus).toBe('ready');
    const waiting = await item('Waiting', [], { chunks: [{ text: 'no vector yet' }] });
    expect((await items.get(admin, { itemId: waiting.itemId, surface: 'mcp' })).embeddingStatus).toBe('pending');
  });

  it('are not read for a caller that does not see them, so they take no longer than items that do not exist', async () => {
    const { itemId } = await item('Long', ['first part', 'second part']);
    const read = async (folderIds: string[] | null, id = itemId) =>
      (await library.pool.query(GET_BODIES, [workspaceId, folderIds, false, false, id])).rowCount;
    expect(await Promise.all([read(null), read([folderId]), read([randomUUID()]), read(null, randomUUID())])).toEqual([
      2, 2, 0, 0,
    ]);
  });

  it('wait for their vectors again when the embedder has changed its model', async () => {
    const { itemId } = await item('Embedded', ['by the model of the seeds']);
    const statusWith = async (model: string | null) => {
      modelInUse = model;
      const { embeddingStatus } = await items.get(admin, { itemId, surface: 'rest' });
      const [newest] = (await items.list(admin, { surface: 'rest', limit: 1 })).items;
      modelInUse = null;
      return [embeddingStatus, newest?.embeddingStatus];
    };
    expect(await statusWith(TEST_MODEL)).toEqual(['ready', 'ready']);
    expect(await statusWith('another')).toEqual(['pending', 'pending']);
    expect(await statusWith(null)).toEqual(['ready', 'ready']);
  });

  it('report that a text was given up, until it has a vector or changes', async () => {
    const chunks = [
      { text: 'first, ', vector: ANY_VECTOR },
      { text: 'the model refuses this' },
      { text: 'not yet tried' },
    ];
    const seeded = await item('Given up', [], { chunks });
    const { itemId, chunkIds } = seeded;
    const answer = (ordinal: number, text: string, position: number, vector: readonly number[] | null) =>
      library.embed({ workspaceId, itemId, chunkId: chunkIds[ordinal]!, text, vector, position });
    await answer(1, chunks[1]!.text, seeded.position, null);
    const statusWith = async (model: string | null) => {
      modelInUse = model;
      const { embeddingStatus } = await items.get(admin, { itemId, surface: 'rest' });
      modelInUse = null;
      return embeddingStatus;
    };
    expect([await statusWith(TEST_MODEL), await statusWith(null), await statusWith('another')]).toEqual([
      'failed',
      'failed',
      'pending',
    ]);
    const corrected = await library.correct(
      seeded,
      1,
      { workspaceId, folderId, title: 'Given up', chunks },
      'a plain text',
    );
    expect(await statusWith(TEST_MODEL)).toBe('pending');
    await answer(2, chunks[2]!.text, seeded.position, null);
    expect(await statusWith(TEST_MODEL)).toBe('failed');
    await answer(1, 'a plain text', corrected, ANY_VECTOR);
    await answer(2, chunks[2]!.text, seeded.position, ANY_VECTOR);
    expect(await statusWith(TEST_MODEL)).toBe('ready');
  });

  it('are not found out of scope, exactly as if they did not exist', async () => {
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    const hidden = (await item('Hidden', ['x'], { folderId: secret })).itemId;
    const outside = (await item('Outside', ['x'], { inKb: false })).itemId;
    const reader: Principal = { ...admin, scopes: ['read'], isUnscoped: false, folderIds: [folderId], kbOnly: true };
    const get = (itemId: string, surface: 'mcp' | 'rest', principal: Principal) =>
      items.get(principal, { itemId, surface }).then(
        ({ title }) => title,
        ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
      );
    const missing = await get(randomUUID(), 'mcp', reader);
    expect(missing).toContain('item.not_found');
    expect(await get(hidden, 'rest', admin)).toBe('Hidden');
    expect(await get(hidden, 'mcp', admin)).toBe(missing);
    expect(await get(hidden, 'rest', { ...admin, scopes: ['read'] })).toBe(missing);
    expect(await get(outside, 'rest', admin)).toBe('Outside');
    expect(await get(outside, 'rest', reader)).toBe(missing);
    expect(await get(outside, 'rest', { ...admin, workspaceId: randomUUID() })).toBe(missing);
  });

  it('are named when the id of a chunk is requested, if the reader may see the item', async () => {
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    const shown = await item('Shown', ['x']);
    const hidden = await item('Hidden', ['x'], { folderId: secret });
    const reader: Principal = { ...admin, scopes: ['read'], isUnscoped: false, folderIds: [folderId] };
    const detailsOf = (itemId: string, principal: Principal) =>
      items.get(principal, { itemId, surface: 'mcp' }).catch(({ details }: { details: unknown }) => details);
    expect(await detailsOf(shown.chunkIds[0]!, reader)).toEqual({ field: 'id', chunkOf: shown.itemId });
    const unseen: readonly (readonly [string, Principal])[] = [
      [hidden.chunkIds[0]!, admin],
      [shown.chunkIds[0]!, { ...reader, folderIds: [secret] }],
      [shown.chunkIds[0]!, { ...reader, folderIds: [] }],
      [shown.chunkIds[0]!, { ...admin, workspaceId: randomUUID() }],
      [randomUUID(), admin],
    ];
    for (const [id, principal] of unseen) expect(await detailsOf(id, principal)).toEqual({ field: 'id' });
  });

  it('are listed if the reader sees them: in its folders, in the knowledge base, nothing sensitive', async () => {
    const [own, other, secret] = [
      await library.folder({ workspaceId }),
      await library.folder({ workspaceId }),
      await library.folder({ workspaceId, tier: 'sensitive' }),
    ];
    for (const [title, at, inKb] of [
      ['own', own, true],
      ['own, not in the knowledge base', own, false],
      ['other', other, true],
      ['sensitive', secret, true],
    ] as const)
      await item(title, ['x'], { folderId: at, inKb });
    const reader: Principal = { ...admin, scopes: ['read'], isUnscoped: false, folderIds: [own, secret] };
    const titles = async (principal: Principal, surface: 'mcp' | 'rest', folder?: string) => {
      const filter = { surface, limit: 100, ...(folder === undefined ? {} : { folderId: folder }) };
      return (await items.list(principal, filter)).items.map(({ title }) => title);
    };
    expect(await titles(reader, 'rest')).toEqual(['own, not in the knowledge base', 'own']);
    expect(await titles({ ...reader, kbOnly: true }, 'rest')).toEqual(['own']);
    expect(await titles({ ...reader, folderIds: [] }, 'rest')).toEqual([]);
    expect(await titles(reader, 'rest', other)).toEqual([]);
    expect(await titles(admin, 'rest', secret)).toEqual(['sensitive']);
    expect(await titles(admin, 'mcp', secret)).toEqual([]);
    expect(await titles({ ...admin, workspaceId: randomUUID() }, 'rest')).toEqual([]);
  });

  it('report that they were superseded, and name the replacement only if the reader may see it', async () => {
    const [own, other, secret] = [
      await library.folder({ workspaceId }),
      await library.folder({ workspaceId }),
      await library.folder({ workspaceId, tier: 'sensitive' }),
    ];
    const replacedBy = async (at: string, inKb = true) => {
      const head = (await item('Head', ['x'], { folderId: at, inKb })).itemId;
      return { head, old: (await item('Old', ['x'], { folderId: own, supersededBy: head })).itemId };
    };
    const seen = async (principal: Principal, itemId: string, surface: 'mcp' | 'rest') => {
      const { supersededById, superseded } = await items.get(principal, { itemId, surface });
      const listed = await items.list(principal, { surface, limit: 100, folderId: own });
      expect(listed.items.find(({ id }) => id === itemId)).toMatchObject({ supersededById, superseded });
      return superseded ? supersededById : 'current';
    };
    const reader: Principal = { ...admin, scopes: ['read'], isUnscoped: false, folderIds: [own, secret] };
    const [near, far, hidden, outside] = [
      await replacedBy(own),
      await replacedBy(other),
      await replacedBy(secret),
      await replacedBy(own, false),
    ];
    for (const surface of ['mcp', 'rest'] as const) {
      expect(await seen(reader, near.old, surface)).toBe(near.head);
      expect(await seen(reader, near.head, surface)).toBe('current');
      expect(await seen(reader, far.old, surface)).toBeNull();
      expect(await seen({ ...reader, isUnscoped: true }, far.old, surface)).toBe(far.head);
      expect(await seen(reader, hidden.old, surface)).toBeNull();
      expect(await seen(reader, outside.old, surface)).toBe(outside.head);
      expect(await seen({ ...reader, kbOnly: true }, outside.old, surface)).toBeNull();
    }
    expect(await seen(admin, hidden.old, 'rest')).toBe(hidden.head);
    expect(await seen(admin, hidden.old, 'mcp')).toBeNull();
  });

  it('show the links of ops that store them in plain text', async () => {
    const links = [{ type: 'task_knowledge', taskId: 'T-1', kind: 'produced' }];
    const { itemId } = await item('Linked', ['x'], { links });
    expect((await items.get(admin, { itemId, surface: 'rest' })).links).toEqual(links);
  });

  it('take their title from the first remaining chunk if none was given, with one statement', async () => {
    const own = await library.folder({ workspaceId });
    const untitled = { folderId: own, kind: 'clip' };
    const memory = await item('', ['Buy tea.\n', 'Then milk.'], untitled);
    await item('Untitled conversation', ['We spoke of tea.'], { ...untitled, kind: 'ai-conversation', inKb: false });
    await item('Labelled', ['Some text.'], untitled);
    const titles = async () =>
      (await items.list(admin, { surface: 'rest', limit: 9, folderId: own })).items.map(({ title }) => title);
    const title = async () => (await items.get(admin, { itemId: memory.itemId, surface: 'rest' })).title;
    expect([await titles(), await title()]).toEqual([['Labelled', 'We spoke of tea.', 'Buy tea.'], 'Buy tea.']);
    await library.pool.query('delete from library.bodies where chunk_id = $1', [memory.chunkIds[0]]);
    expect([(await titles())[2], await title()]).toEqual(['Then milk.', 'Then milk.']);
    await library.pool.query('delete from library.bodies where chunk_id = $1', [memory.chunkIds[1]]);
    expect([(await titles())[2], await title()]).toEqual(['Untitled', 'Untitled']);
  });

  it('are listed newest first, page by page, by filter', async () => {
    const own = await library.folder({ workspaceId });
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three'])
      ids.unshift((await item(title, ['x'], { folderId: own, kind: 'document' })).itemId);
    const first = await items.list(admin, { surface: 'rest', limit: 2, folderId: own });
    const second = await items.list(admin, { surface: 'rest', limit: 2, folderId: own, cursor: first.nextCursor! });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await items.list(admin, { surface: 'rest', limit: 9, folderId: own, kind: 'clip' })).items).toEqual([]);
    expect((await items.list(admin, { surface: 'rest', limit: 9, folderId: own, inKb: false })).items).toEqual([]);
    await expect(items.list(admin, { surface: 'rest', limit: 9, cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'cursor' },
    });
  });
});

describe('listings', () => {
  it('show folders in scope, sensitive ones to an admin only', async () => {
    const other = await library.workspace();
    const [open, secret] = [
      await library.folder({ workspaceId: other, name: 'Open' }),
      await library.folder({ workspaceId: other, tier: 'sensitive' }),
    ];
    const owner = systemPrincipal(other);
    const reader: Principal = { ...owner, scopes: ['read'] };
    const ids = async (principal: Principal) =>
      (await listings.folders(principal, { surface: 'rest', limit: 100 })).items.map(({ id }) => id).sort();
    expect(await ids(owner)).toEqual([open, secret].sort());
    expect(await ids(reader)).toEqual([open]);
    expect(await ids({ ...reader, isUnscoped: false, folderIds: [secret, folderId] })).toEqual([]);
    const get = (principal: Principal, id: string, surface: 'mcp' | 'rest') =>
      listings.folder(principal, { folderId: id, surface });
    expect((await get(reader, open, 'rest')).name).toBe('Open');
    await expect(get(reader, secret, 'rest')).rejects.toMatchObject({ code: 'folder.not_found' });
    const first = await listings.folders(owner, { surface: 'rest', limit: 1 });
    const rest = await listings.folders(owner, { surface: 'rest', limit: 1, cursor: first.nextCursor! });
    expect([first.items[0]!.id, rest.items[0]!.id]).toEqual([open, secret].sort());
    expect(rest.nextCursor).toBeNull();
    // Over MCP, not even an admin learns that a sensitive folder exists.
    const named = await listings.folders(owner, { surface: 'mcp', limit: 100 });
    expect(named.items.map(({ id }) => id)).toEqual([open]);
    await expect(get(owner, secret, 'mcp')).rejects.toMatchObject({ code: 'folder.not_found' });
  });

  it('show all workspaces to the first admin, and only the own one to others', async () => {
    const all = await listings.workspaces(admin, { limit: 100 });
    expect(all.items.length).toBeGreaterThan(1);
    const own = await listings.workspaces({ ...admin, instanceAdmin: false }, { limit: 100 });
    expect(own.items.map(({ id }) => id)).toEqual([workspaceId]);
  });
});

describe('tokens', () => {
  const issue = async (given: { expiresAt?: string; isRevoked?: boolean } = {}) => {
    const id = randomUUID();
    const secretHash = createHash('sha256').update(id).digest('hex');
    const { expiresAt = '2999-01-01T00:00:00Z', isRevoked = false } = given;
    const grant = { scopes: ['read' as const], isUnscoped: false, folderIds: [folderId], kbOnly: true };
    const data = {
      tokenId: id,
      secretHash,
      name: 'name',
      agentId: 'agent-7',
      ...grant,
      toolsets: ['knowledge_base' as const],
      rateLimitPerHour: 1000,
      expiresAt,
      instanceAdmin: false,
    };
    await library.apply(workspaceId, { type: 'token.issued', data });
    if (isRevoked) await library.apply(workspaceId, { type: 'token.revoked', data: { tokenId: id } });
    return { tokenId: id, secretHash };
  };

  it('resolve to their principal', async () => {
    const token = await issue();
    expect(await tokens.resolve(token)).toMatchObject({
      principal: { tokenId: token.tokenId, workspaceId, agentId: 'agent-7', folderIds: [folderId], kbOnly: true },
      rateLimitPerHour: 1000,
    });
  });

  it('resolve to null if unknown, wrong, expired or revoked', async () => {
    const good = await issue();
    const bad = [
      { ...good, secretHash: 'f'.repeat(64) },
      { ...good, tokenId: randomUUID() },
      await issue({ expiresAt: '2001-01-01T00:00:00Z' }),
      await issue({ isRevoked: true }),
    ];
    expect(await Promise.all(bad.map((token) => tokens.resolve(token)))).toEqual([null, null, null, null]);
  });

  it('are reported as ended if revoked or expired; one without a row may not be projected yet', async () => {
    const good = await issue();
    const bad = [
      (await issue({ expiresAt: '2001-01-01T00:00:00Z' })).tokenId,
      (await issue({ isRevoked: true })).tokenId,
    ];
    const { tokenIds } = await tokens.ended({ tokenIds: [good.tokenId, randomUUID(), ...bad] });
    expect([...tokenIds].sort()).toEqual(bad.sort());
    expect(await tokens.ended({ tokenIds: [] })).toEqual({ tokenIds: [] });
  });

  it('are listed without secrets', async () => {
    const { items } = await listings.tokens(admin, { limit: 100 });
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toContain('secret');
  });
});

describe('ops', () => {
  const record = async (event: DomainEvent, at: string) => {
    const { op, position } = await library.record(workspaceId, event, at);
    return { opId: op.id, position };
  };

  it('are shown decrypted if the key exists, and as forgotten if it does not', async () => {
    const { itemId, chunkIds } = await item('Logged', ['spoken']);
    const gone = randomUUID();
    const keys = library.vault.mint(workspaceId, itemId, [gone]);
    const living = await library.pool.query(
      'select text, wrapped_key from library.bodies where chunk_id = $1',
      chunkIds as string[],
    );
    const meta = (await library.pool.query('select meta from library.items where id = $1', [itemId])).rows[0].meta;
    const stored = (chunkId: string, text: Buffer) => ({
      chunkId,
      ordinal: 0,
      text: text.toString('base64'),
      textHash: '0'.repeat(64),
      tokens: 1,
    });
    const lost = sealText(keys.chunks.get(gone)!, workspaceId, gone, 'lost');
    const data: EventData<'item.stored'> = {
      itemId,
      folderId,
      inKb: true,
      kind: 'knowledge',
      sourceKind: 'agent',
      createdByAgentId: 'a',
      confidence: 80,
      expiresAt: null,
      meta: meta.toString('base64'),
      chunkCount: 2,
      chunks: [stored(chunkIds[0]!, living.rows[0].text), stored(gone, lost)],
    };
    const { opId, position } = await record({ type: 'item.stored', data }, '2026-01-01T00:00:00Z');
    const view = await ops.get(admin, { opId });
    expect(view).toMatchObject({ id: opId, kind: 'ingest', type: 'item.stored', position });
    expect(view.data).toMatchObject({
      meta: { title: 'Logged' },
      chunks: [{ text: 'spoken' }, { text: '<forgotten>' }],
    });
    const sealed = sealMeta(keys.item, workspaceId, gone, { title: 't', tags: [] }).toString('base64');
    const forgotten = { ...data, itemId: gone, meta: sealed };
    const { opId: other } = await record({ type: 'item.stored', data: forgotten }, '2026-01-02T00:00:00Z');
    expect((await ops.get(admin, { opId: other })).data).toMatchObject({ meta: '<forgotten>' });
  });

  it('are listed although a newer version has written some, without what only that version knows', async () => {
    const at = '2024-01-01T00:00:00Z';
    const quota: DomainEvent = { type: 'quota.set', data: { name: 'knowledge_stored', limit: 5 } };
    const [known, newer] = [await record(quota, at), await record(quota, at)];
    const change = (opId: string, more: string): Promise<unknown> =>
      library.pool.query(
        `update archive.ops set body = convert_to((convert_from(body, 'UTF8')::jsonb || $2::jsonb)::text, 'UTF8')
         where op_id = $1`,
        [opId, more],
      );
    await change(
      known.opId,
      '{"region": "north", "data": {"name": "knowledge_stored", "limit": 5, "token": "secret"}}',
    );
    await change(newer.opId, '{"version": 2, "data": {"quota": "knowledge_stored", "token": "secret"}}');
    const { items } = await ops.list(admin, { limit: 2, from: at, to: at });
    expect(items).toEqual([
      expect.objectContaining({ kind: 'quota', data: { content: '<written by a newer version of Cairn>' } }),
      expect.objectContaining({ kind: 'quota_set', data: quota.data }),
    ]);
    expect(JSON.stringify(items)).not.toMatch(/secret|north/);
    await library.pool.query('delete from archive.ops where op_id = any ($1::uuid[])', [[known.opId, newer.opId]]);
  });

  it('[N-53] show the old and the new text of a correction while the key of its chunk exists', async () => {
    const { itemId, chunkIds } = await item('Corrected', ['spoken']);
    const gone = randomUUID();
    const read = await library.pool.query(
      `select b.text, b.wrapped_key as key, i.meta from library.bodies b join library.items i on i.id = b.item_id
       where b.chunk_id = $1`,
      chunkIds as string[],
    );
    const { text, key, meta } = read.rows[0];
    const sealed = sealText(library.vault.unwrap(workspaceId, chunkIds[0]!, key), workspaceId, chunkIds[0]!, 'written');
    const texts = { oldText: text.toString('base64'), newText: sealed.toString('base64') };
    const hash = '0'.repeat(64);
    const data: EventData<'chunk.corrected'> = {
      itemId,
      chunkId: chunkIds[0]!,
      correctionId: randomUUID(),
      ordinal: 0,
      ...texts,
      oldTextHash: hash,
      textHash: hash,
      tokens: 1,
      folderId,
      inKb: true,
      superseded: false,
      expiresAt: null,
      meta: meta.toString('base64'),
    };
    const at = '2025-01-01T00:00:00Z';
    const { opId } = await record({ type: 'chunk.corrected', data }, at);
    expect(await ops.get(admin, { opId })).toMatchObject({
      kind: 'correction',
      data: { oldText: 'spoken', newText: 'written', meta: { title: 'Corrected' } },
    });
    const other = await record({ type: 'chunk.corrected', data: { ...data, chunkId: gone } }, at);
    const view = await ops.get(admin, { opId: other.opId });
    expect(view.data).toMatchObject({ oldText: '<forgotten>', newText: '<forgotten>' });
  });

  it('show the present title of their item, with the same number of statements however many they are', async () => {
    const { itemId } = await item('Old hand', ['spoken']);
    const { itemId: second } = await item('', ['New hand\nwritten'], { kind: 'clip' });
    const gone = randomUUID();
    const at = '2024-01-01T00:00:00Z';
    const recorded: number[] = [];
    const events: DomainEvent[] = [
      { type: 'item.superseded', data: { itemId, byItemId: second, updatedIds: [itemId], headId: second } },
      {
        type: 'confirmation.resolved',
        data: { confirmationId: randomUUID(), action: 'use', folderId, storedItemId: second },
      },
      {
        type: 'item.forgotten',
        data: { itemId: gone, folderId, chunkIds: [], receiptId: gone, erased: [], more: false },
      },
      { type: 'quota.set', data: { name: 'knowledge_stored', limit: null } },
    ];
    for (const event of events) recorded.unshift((await record(event, at)).position);
    const named = async (limit: number) => {
      let statements = 0;
      const counted = Object.assign(Object.create(library.pool) as typeof library.pool, {
        query: (sql: string, values: unknown[]) => (statements++, library.pool.query(sql, values)),
      });
      const { items } = await new OpReader(counted, library.vault).list(admin, { limit, to: at });
      return { items: items.map(({ position, item: about }) => [position, about]), statements };
    };
    const all = await named(100);
    expect(all.items).toEqual([
      [recorded[0], null],
      [recorded[1], { id: gone, title: '<forgotten>' }],
      [recorded[2], { id: second, title: 'New hand' }],
      [recorded[3], { id: itemId, title: 'Old hand' }],
    ]);
    expect(all.statements).toBe(2);
    expect((await ops.list(admin, { limit: 1, itemId })).items[0]!.item).toEqual({ id: itemId, title: 'Old hand' });
  });

  it('are listed newest first by kind, type, item and time', async () => {
    const january = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' };
    const quota: DomainEvent = { type: 'quota.set', data: { name: 'knowledge_stored', limit: null } };
    const { position: newest } = await record(quota, january.to);
    const positions = async (query: Partial<QueryData<'ops.list'>>) =>
      (await ops.list(admin, { limit: 100, ...january, ...query })).items.map(({ position }) => position);
    const [first, second, third] = await positions({});
    expect([first, second! < newest, third! < second!]).toEqual([newest, true, true]);
    expect(await positions({ kind: 'ingest' })).toEqual([second, third]);
    expect(await positions({ type: 'quota.set' })).toEqual([newest]);
    expect(await positions({ kind: 'ingest', type: 'quota.set' })).toEqual([]);
    expect(await positions({ kind: 'unheard_of' })).toEqual([]);
    expect(await positions({ from: '2026-01-02T00:00:00Z', to: '2026-01-02T12:00:00Z' })).toEqual([second]);
    const { nextCursor } = await ops.list(admin, { limit: 2, ...january });
    expect(await positions({ limit: 2, cursor: nextCursor! })).toEqual([third]);
    await expect(ops.get(admin, { opId: randomUUID() })).rejects.toMatchObject({ code: 'op.not_found' });
  });

  it('of a rare kind are found by an index, however many others there are', async () => {
    const another = randomUUID();
    await library.pool.query(
      `insert into archive.ops (position, workspace_id, subject, op_id, type, item_id, at, body)
       select n, $1, '', gen_random_uuid(), 'item.stored', null, now(), ''
       from generate_series(1001, 21000) n`,
      [another],
    );
    await library.pool.query('analyze archive.ops');
    const values = [another, ['token.revoked'], null, null, null, null, 51];
    const { rows } = await library.pool.query<{ 'QUERY PLAN': string }>(`explain ${LIST_OPS}`, values);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('ops_workspace_id_type_position_idx');
    await library.pool.query('delete from archive.ops where workspace_id = $1', [another]);
  });
});
