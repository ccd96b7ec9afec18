import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  OPLOG_STREAM,
  querySubject,
  SEARCH_QUEUE,
  systemPrincipal,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
  type QueryVector,
  type Reply,
} from '@cairn/contracts';
import { natsTransport, Requester, type NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics, nestLogger } from '@cairn/observability';
import { ensureStreams } from '@cairn/op-log';
import { installLegs } from '@cairn/retrieval';
import { SeededLibrary, TEST_MODEL, TestNats } from '@cairn/testing';
import { sealMeta, sealText } from '@cairn/vault';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SearchModule } from './search.module.js';

/** As many directions as there are words: texts are near when they share words. */
const embed = (text: string): Float32Array => {
  const vector = new Float32Array(384);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const slot = createHash('sha256').update(word).digest().readUInt16BE(0) % 384;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

let broker: TestNats;
let library: SeededLibrary;
let nats: NatsConnection;
let app: INestMicroservice;
let workspaceId: string;
let folderId: string;
let admin: Principal;
let embedderIsAway = false;

const ask = <T extends QueryType>(type: T, data: QueryData<T>, principal = admin, atLeast?: number) =>
  new Requester(nats).query(type, data, {
    principal,
    correlationId: 'test',
    id: randomUUID(),
    ...(atLeast === undefined ? {} : { atLeast }),
  }) as Promise<QueryAnswer<T>>;

const serveEmbedder = (): void => {
  nats.subscribe(querySubject('query.embed'), {
    callback: (_, message) => {
      const { data } = JSON.parse(new TextDecoder().decode(message.data)) as { data: { text: string } };
      const vector = Buffer.from(embed(data.text).buffer).toString('base64');
      const away = { code: 'embedder.busy', kind: 'unavailable', message: 'busy', details: {} } as const;
      const reply: Reply<QueryVector> = embedderIsAway
        ? { error: away }
        : { ok: { model: TEST_MODEL, dims: 384, vector } };
      message.respond(JSON.stringify(reply));
    },
  });
};

const item = (title: string, texts: readonly string[], more: object = {}) =>
  library.item({
    workspaceId,
    folderId,
    title,
    chunks: texts.map((text) => ({ text, vector: embed(`${title} ${text}`) })),
    ...more,
  });

beforeAll(async () => {
  [broker, library] = await Promise.all([TestNats.start(), SeededLibrary.start()]);
  nats = await broker.connect();
  await ensureStreams(nats);
  await installLegs(library.pool);
  workspaceId = await library.workspace();
  folderId = await library.folder({ workspaceId });
  admin = systemPrincipal(workspaceId);
  serveEmbedder();
  const logger = createLogger({ name: 'search', level: 'silent', format: 'json' });
  const config = { natsUrl: broker.url, databaseUrl: library.url, kek: library.kek };
  app = await NestFactory.createMicroservice(SearchModule.register({ ...config, logger, metrics: createMetrics() }), {
    ...natsTransport(broker.url, SEARCH_QUEUE),
    logger: nestLogger(logger),
  });
  await app.listen();
}, 60_000);

afterAll(async () => {
  await app.close();
  await broker.stop();
  await library.stop();
}, 60_000);

const chunks = (query: string, more: Partial<QueryData<'chunks.search'>> = {}, principal = admin) =>
  ask('chunks.search', { query, mode: 'hybrid', limit: 8, explain: true, ...more }, principal);

describe('chunks.search', () => {
  it('[G-11] scores by cosine in semantic mode', async () => {
    const { chunkIds } = await item('Moraine', ['glacier debris ridge']);
    const { hits } = await chunks('glacier ridge', { mode: 'semantic' });
    const expected = embed('Moraine glacier debris ridge').reduce(
      (sum, v, i) => sum + v * embed('glacier ridge')[i]!,
      0,
    );
    expect(hits[0]).toMatchObject({ chunkId: chunkIds[0], title: 'Moraine', text: 'glacier debris ridge', folderId });
    expect(hits[0]!.score).toBeCloseTo(expected, 5);
  });

  it('[G-15] blends both legs in hybrid mode, and explains the sum', async () => {
    await item('Esker', ['a winding ridge of gravel']);
    const { hits, degraded, stale } = await chunks('gravel ridge');
    expect({ degraded, stale }).toEqual({ degraded: false, stale: false });
    for (const { score, explain } of hits) {
      expect(explain!.fusion).toBe('weighted-0.7-0.3-minmax');
      expect(explain!.legs.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score, 12);
    }
    expect(hits[0]!.title).toBe('Esker');
    expect(hits[0]!.score).toBeCloseTo(1, 6);
  });

  it('shows no explanation unless asked', async () => {
    const { hits } = await chunks('gravel', { explain: false });
    expect(hits[0]).not.toHaveProperty('explain');
  });

  it('answers by keyword and says degraded while the embedder is away; semantic mode fails', async () => {
    await item('Drumlin', ['an elongated hill']);
    embedderIsAway = true;
    try {
      const { hits, degraded } = await chunks('elongated drumlin');
      expect(degraded).toBe(true);
      expect(hits.map(({ title }) => title)).toEqual(['Drumlin']);
      expect((await chunks('elongated hill', { mode: 'keyword' })).degraded).toBe(false);
      await expect(chunks('elongated hills', { mode: 'semantic' })).rejects.toMatchObject({
        code: 'embedder.unavailable',
      });
    } finally {
      embedderIsAway = false;
    }
  });

  it('stays within the folders of the token and out of sensitive ones', async () => {
    const own = await library.folder({ workspaceId });
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    await item('Own', ['kettle lake'], { folderId: own });
    await item('Secret', ['kettle lake'], { folderId: secret });
    await item('Main', ['kettle lake']);
    const titles = async (principal: Principal) =>
      (await chunks('kettle lake', { mode: 'keyword' }, principal)).hits.map(({ title }) => title).sort();
    expect(await titles(admin)).toEqual(['Main', 'Own']);
    expect(await titles({ ...admin, isUnscoped: false, folderIds: [own, secret] })).toEqual(['Own']);
    expect(await titles({ ...admin, isUnscoped: false, folderIds: [] })).toEqual([]);
    expect(await titles({ ...admin, workspaceId: randomUUID() })).toEqual([]);
  });

  it('does not show what an index still holds of an item that left its folder', async () => {
    const moved = await item('Moved', ['fjord crossing']);
    await library.pool.query('update library.items set in_kb = false where id = $1', [moved.itemId]);
    expect((await chunks('fjord crossing', { mode: 'keyword' })).hits).toEqual([]);
  });

  it('says stale when the projection has not reached the position the caller has seen', async () => {
    await library.pool.query(`insert into cairn.projections values ('library', 1, 7, 1, now())`);
    const at = (position: number) =>
      ask('chunks.search', { query: 'x', mode: 'keyword', limit: 1, explain: false }, admin, position);
    expect((await at(7)).stale).toBe(false);
    expect((await at(8)).stale).toBe(true);
  });
});

describe('items.search', () => {
  const items = (query: string, more: Partial<QueryData<'items.search'>> = {}) =>
    ask('items.search', {
      query,
      limit: 10,
      tags: [],
      includeSuperseded: false,
      includeExpired: false,
      minScore: 0,
      efSearch: 64,
      explain: true,
      ...more,
    });

  it('[D-34] answers items by their best chunk, fused by RRF over three legs', async () => {
    const { itemId } = await item('Tarn', ['about sheep', 'mountain lake water', 'about goats'], { tags: ['hills'] });
    const { hits, degraded } = await items('mountain lake');
    const hit = hits.find((found) => found.itemId === itemId)!;
    expect(degraded).toBe(false);
    expect(hits.filter((found) => found.itemId === itemId)).toHaveLength(1);
    expect(hit).toMatchObject({ text: 'mountain lake water', tags: ['hills'], confidence: 80, supersededById: null });
    const raw = hit.explain!.legs.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / (60 + rank)), 0);
    expect(hit.rawScore).toBeCloseTo(raw, 12);
    expect(hit.score).toBeCloseTo(raw / (3 / 61), 12);
  });

  it('[D-33] finds an item by a part of its title alone', async () => {
    const { itemId } = await item('Bergschrund crevasse', ['text without the word'], { chunks: [{ text: 'plain' }] });
    expect((await items('gschru')).hits.map((hit) => hit.itemId)).toContain(itemId);
  });

  it('drops what is below minScore before it counts', async () => {
    const all = (await items('mountain lake')).hits;
    const bound = all[0]!.score;
    expect((await items('mountain lake', { minScore: bound })).hits.every(({ score }) => score >= bound)).toBe(true);
    expect((await items('mountain lake', { minScore: 1 })).hits.length).toBeLessThanOrEqual(1);
  });

  it('hides superseded and expired items unless asked for, and filters by all tags', async () => {
    const head = await item('Sérac new', ['icefall tower'], { tags: ['ice', 'new'] });
    const old = await item('Sérac old', ['icefall tower'], { supersededBy: head.itemId });
    const gone = await item('Sérac gone', ['icefall tower'], { expiresAt: '2001-01-01T00:00:00Z' });
    const found = async (more: Partial<QueryData<'items.search'>>) =>
      new Map((await items('icefall tower', more)).hits.map((hit) => [hit.itemId, hit]));
    const current = await found({});
    expect([current.has(head.itemId), current.has(old.itemId), current.has(gone.itemId)]).toEqual([true, false, false]);
    expect((await found({ includeSuperseded: true })).get(old.itemId)!.supersededById).toBe(head.itemId);
    expect((await found({ includeExpired: true })).has(gone.itemId)).toBe(true);
    expect([...(await found({ tags: ['ice', 'new'] })).keys()]).toEqual([head.itemId]);
    expect((await found({ tags: ['ice', 'none'] })).size).toBe(0);
  });

  it('says degraded when only the vector leg is missing', async () => {
    embedderIsAway = true;
    try {
      const { hits, degraded } = await items('mountain lake water');
      expect(degraded).toBe(true);
      expect(hits[0]!.title).toBe('Tarn');
    } finally {
      embedderIsAway = false;
    }
  });
});

describe('items', () => {
  it('are read with their text put together, and their embedding status', async () => {
    const { itemId, chunkIds } = await item('Whole', ['first part, ', 'second part']);
    const detail = await ask('item.get', { itemId, surface: 'mcp' });
    expect(detail).toMatchObject({ id: itemId, title: 'Whole', content: 'first part, second part', inKb: true });
    expect(detail.chunks.map(({ id }) => id)).toEqual(chunkIds);
    expect(detail.embeddingStatus).toBe('ready');
    const waiting = await item('Waiting', [], { chunks: [{ text: 'no vector yet' }] });
    expect((await ask('item.get', { itemId: waiting.itemId, surface: 'mcp' })).embeddingStatus).toBe('pending');
  });

  it('are not found when they are out of scope, exactly as when they do not exist', async () => {
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    const hidden = (await item('Hidden', ['x'], { folderId: secret })).itemId;
    const outside = (await item('Outside', ['x'], { inKb: false })).itemId;
    const reader: Principal = { ...admin, scopes: ['read'], isUnscoped: false, folderIds: [folderId], kbOnly: true };
    const get = (itemId: string, surface: 'mcp' | 'rest', principal: Principal) =>
      ask('item.get', { itemId, surface }, principal).then(
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

  it('are listed newest first, page by page, by filter', async () => {
    const own = await library.folder({ workspaceId });
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three'])
      ids.unshift((await item(title, ['x'], { folderId: own, kind: 'document' })).itemId);
    const first = await ask('items.list', { limit: 2, folderId: own });
    const second = await ask('items.list', { limit: 2, folderId: own, cursor: first.nextCursor! });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await ask('items.list', { limit: 9, folderId: own, kind: 'clip' })).items).toEqual([]);
    expect((await ask('items.list', { limit: 9, folderId: own, inKb: false })).items).toEqual([]);
    await expect(ask('items.list', { limit: 9, cursor: 'nonsense' })).rejects.toMatchObject({
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
      (await ask('folders.list', { limit: 100 }, principal)).items.map(({ id }) => id).sort();
    expect(await ids(owner)).toEqual([open, secret].sort());
    expect(await ids(reader)).toEqual([open]);
    expect(await ids({ ...reader, isUnscoped: false, folderIds: [secret, folderId] })).toEqual([]);
    expect((await ask('folder.get', { folderId: open }, reader)).name).toBe('Open');
    await expect(ask('folder.get', { folderId: secret }, reader)).rejects.toMatchObject({ code: 'folder.not_found' });
    const first = await ask('folders.list', { limit: 1 }, owner);
    const rest = await ask('folders.list', { limit: 1, cursor: first.nextCursor! }, owner);
    expect([first.items[0]!.id, rest.items[0]!.id]).toEqual([open, secret].sort());
    expect(rest.nextCursor).toBeNull();
  });

  it('show all workspaces to the first admin and the own one to others', async () => {
    const all = await ask('workspaces.list', { limit: 100 });
    expect(all.items.length).toBeGreaterThan(1);
    const own = await ask('workspaces.list', { limit: 100 }, { ...admin, instanceAdmin: false });
    expect(own.items.map(({ id }) => id)).toEqual([workspaceId]);
  });
});

describe('tokens', () => {
  const issue = async (given: { expiresAt?: string; revokedAt?: string } = {}) => {
    const id = randomUUID();
    const secretHash = createHash('sha256').update(id).digest('hex');
    const { expiresAt = '2999-01-01T00:00:00Z', revokedAt = null } = given;
    await library.pool.query(
      `insert into library.tokens values
       ($1, $2, $3, 'name', 'agent-7', '{read}', false, $4, true, '{knowledge_base}', 1000, false, $5, $6, now())`,
      [id, workspaceId, secretHash, [folderId], expiresAt, revokedAt],
    );
    return { tokenId: id, secretHash };
  };

  it('resolve to their principal', async () => {
    const token = await issue();
    expect(await ask('token.resolve', token)).toMatchObject({
      principal: { tokenId: token.tokenId, workspaceId, agentId: 'agent-7', folderIds: [folderId], kbOnly: true },
      rateLimitPerHour: 1000,
    });
  });

  it('resolve to nothing when unknown, wrong, expired or revoked', async () => {
    const good = await issue();
    const bad = [
      { ...good, secretHash: 'f'.repeat(64) },
      { ...good, tokenId: randomUUID() },
      await issue({ expiresAt: '2001-01-01T00:00:00Z' }),
      await issue({ revokedAt: '2001-01-01T00:00:00Z' }),
    ];
    expect(await Promise.all(bad.map((token) => ask('token.resolve', token)))).toEqual([null, null, null, null]);
  });

  it('are listed without secrets, to an admin', async () => {
    const { items } = await ask('tokens.list', { limit: 100 });
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toContain('secret');
    await expect(ask('tokens.list', { limit: 1 }, { ...admin, scopes: ['read'] })).rejects.toMatchObject({
      code: 'scope.missing',
    });
  });
});

describe('ops', () => {
  const archive = async (type: string, data: object, position: number, at: string, itemId: string | null = null) => {
    const id = randomUUID();
    const actor = { kind: 'token', tokenId: admin.tokenId, agentId: 'a' };
    const chain = { commandId: randomUUID(), correlationId: 'c', prevHash: '', hash: '' };
    const envelope = { id, type, version: 1, workspace: workspaceId, actor, at, ...chain, data };
    await library.pool.query('insert into archive.ops values ($1, $2, $3, $4, $5, $6, $7, $8)', [
      position,
      workspaceId,
      'oplog.x',
      id,
      type,
      itemId,
      at,
      Buffer.from(JSON.stringify(envelope)),
    ]);
    return id;
  };

  it('are shown opened where the key lives and forgotten where it does not', async () => {
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
    const data = {
      itemId,
      meta: meta.toString('base64'),
      chunks: [stored(chunkIds[0]!, living.rows[0].text), stored(gone, lost)],
    };
    const id = await archive('item.stored', data, 100, '2026-01-01T00:00:00Z', itemId);
    const view = await ask('op.get', { opId: id });
    expect(view).toMatchObject({ id, kind: 'ingest', type: 'item.stored', position: 100 });
    expect(view.data).toMatchObject({
      meta: { title: 'Logged' },
      chunks: [{ text: 'spoken' }, { text: '<forgotten>' }],
    });
    const forgotten = { ...data, itemId: gone, meta: sealMeta(keys.item, workspaceId, gone, { title: 't', tags: [] }) };
    const other = await archive(
      'item.stored',
      { ...forgotten, meta: forgotten.meta.toString('base64') },
      101,
      '2026-01-02T00:00:00Z',
    );
    expect((await ask('op.get', { opId: other })).data).toMatchObject({ meta: '<forgotten>' });
  });

  it('are listed newest first by kind, type, item and time', async () => {
    await archive('folder.created', { folderId }, 102, '2026-01-03T00:00:00Z');
    const positions = async (query: Partial<QueryData<'ops.list'>>) =>
      (await ask('ops.list', { limit: 100, ...query })).items.map(({ position }) => position);
    expect(await positions({})).toEqual([102, 101, 100]);
    expect(await positions({ kind: 'ingest' })).toEqual([101, 100]);
    expect(await positions({ type: 'folder.created' })).toEqual([102]);
    expect(await positions({ kind: 'ingest', type: 'folder.created' })).toEqual([]);
    expect(await positions({ kind: 'unheard_of' })).toEqual([]);
    expect(await positions({ from: '2026-01-02T00:00:00Z', to: '2026-01-02T12:00:00Z' })).toEqual([101]);
    const first = await ask('ops.list', { limit: 2 });
    expect((await ask('ops.list', { limit: 2, cursor: first.nextCursor! })).items.map((op) => op.position)).toEqual([
      100,
    ]);
    await expect(ask('op.get', { opId: randomUUID() })).rejects.toMatchObject({ code: 'op.not_found' });
  });
});

describe('status', () => {
  it('shows how far each projection is behind its stream', async () => {
    const { items } = await ask('projections.get', {});
    expect(items).toEqual([
      { name: 'library', version: 1, stream: OPLOG_STREAM, checkpoint: 7, head: 0, lagOps: 0, lagSeconds: 0 },
    ]);
  });

  it('names the parts, and says degraded while the embedder does not tell its model', async () => {
    const { components, degraded } = await ask('status.get', {});
    expect(components.map(({ name, ok }) => [name, ok])).toEqual([
      ['nats', true],
      ['postgres', true],
      ['lexical', true],
      ['embedder', false],
    ]);
    expect(degraded).toBe(true);
  });

  it('refuses an unknown field by name', async () => {
    await expect(ask('status.get', { x: 1 } as never)).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'x' },
    });
  });
});
