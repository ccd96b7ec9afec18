import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  OPLOG_STREAM,
  querySubject,
  SEARCH_QUERIES,
  type IngestView,
  systemPrincipal,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
  type QueryVector,
  type Reply,
} from '@cairn/contracts';
import { Requester, Responder, startService, type NatsConnection, type RunningService } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { ensureStreams, ForgetLedger } from '@cairn/op-log';
import { LEDGER_CHECKPOINT } from '@cairn/projections';
import { installRanking } from '@cairn/ranking';
import { SeededLibrary, TEST_MODEL, type SeedItem } from '@cairn/projections/testing';
import { NO_CANDIDATES } from '@cairn/retrieval';
import { TestNats } from '@cairn/testing';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import { NatsContext } from '@nestjs/microservices';
import { closeConnections, openConnections } from './connections.js';
import { openReaders } from './readers.js';
import { SearchController } from './search.controller.js';
import { SearchModule } from './search.module.js';

/** One dimension per word: texts are near if they share words. */
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
let service: RunningService;
let workspaceId: string;
let folderId: string;
let admin: Principal;
let isEmbedderUnavailable = false;

const ask = <T extends QueryType>(
  type: T,
  data: QueryData<T>,
  principal = admin,
  atLeast?: number,
): Promise<QueryAnswer<T>> =>
  new Requester(nats).query(type, data, {
    principal,
    correlationId: 'test',
    id: randomUUID(),
    ...(atLeast === undefined ? {} : { atLeast }),
  });

const serveEmbedder = (): void => {
  nats.subscribe(querySubject('query.embed'), {
    callback: (_, message) => {
      const { data } = JSON.parse(new TextDecoder().decode(message.data)) as { data: { text: string } };
      const vector = Buffer.from(embed(data.text).buffer).toString('base64');
      const error = { code: 'embedder.busy', kind: 'unavailable', message: 'busy', details: {} } as const;
      const reply: Reply<QueryVector> = isEmbedderUnavailable
        ? { error }
        : { ok: { model: TEST_MODEL, dims: 384, vector } };
      message.respond(JSON.stringify(reply));
    },
  });
};

const seed = (title: string, texts: readonly string[], more: object = {}): SeedItem => ({
  workspaceId,
  folderId,
  title,
  chunks: texts.map((text) => ({ text, vector: embed(`${title} ${text}`) })),
  ...more,
});

const item = (title: string, texts: readonly string[], more: object = {}) => library.item(seed(title, texts, more));

beforeAll(async () => {
  [broker, library] = await Promise.all([TestNats.start(), SeededLibrary.start()]);
  nats = await broker.connect();
  await ensureStreams(nats);
  await new Vault(new KeyRing(library), await JetStreamKeyStore.create(nats, 1)).foundSecrets([]);
  await installRanking(library.pool);
  workspaceId = await library.workspace();
  folderId = await library.folder({ workspaceId });
  admin = systemPrincipal(workspaceId);
  serveEmbedder();
  const logger = createLogger({ name: 'search', level: 'silent', format: 'json' });
  const config = { nats: { url: broker.url }, database: { url: library.url }, kek: library.kek, residentMb: 64 };
  const module = SearchModule.register(config);
  service = await startService({ name: 'search', nats: { url: broker.url }, module, logger, metrics: createMetrics() });
}, 60_000);

afterAll(async () => {
  await service.close();
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

  it('shows the title with every chunk of an item, not only with the first', async () => {
    const { chunkIds } = await item('Nunatak', ['a rocky island above the ice', 'lichen grows on the summit']);
    for (const mode of ['hybrid', 'semantic', 'keyword'] as const) {
      const { hits } = await chunks('lichen summit', { mode });
      expect(hits[0]).toMatchObject({ chunkId: chunkIds[1], title: 'Nunatak', text: 'lichen grows on the summit' });
    }
  });

  it.each(['', 'Untitled clip'])(
    'takes the title from the first remaining chunk if %j is stored, in every search',
    async (title) => {
      const word = `wq${randomUUID().slice(0, 8)}`;
      const parts = ['# Serac\nfirst', 'second', 'third', 'fourth', `fifth ${word}`];
      const { itemId, chunkIds } = await item(title, parts, { kind: 'clip' });
      const shown = async () => {
        const filter = { tags: [], includeSuperseded: false, includeExpired: false, minScore: 0, efSearch: 64 };
        const searched = await ask('items.search', { query: word, limit: 50, explain: false, ...filter });
        const recalled = await ask('chunks.recall', { query: word, topK: 8, minScore: 0, explain: false });
        return [
          (await chunks(word, { mode: 'keyword' })).hits[0]!.title,
          searched.hits.find((hit) => hit.itemId === itemId)!.title,
          recalled.results.find((hit) => hit.chunkId === chunkIds[4])!.sourceName,
        ];
      };
      expect(await shown()).toEqual(['Serac', 'Serac', 'Serac']);
      expect((await chunks('serac', { mode: 'keyword' })).hits.map((hit) => hit.title)).toContain('Serac');
      for (const table of ['library.chunks where id', 'library.bodies where chunk_id'])
        await library.pool.query(`delete from ${table} = $1`, [chunkIds[0]]);
      expect(await shown()).toEqual(['second', 'second', 'second']);
    },
  );

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

  it('answers by keyword and reports degraded while the embedder is unavailable; semantic mode fails', async () => {
    await item('Drumlin', ['an elongated hill']);
    isEmbedderUnavailable = true;
    try {
      const { hits, degraded } = await chunks('elongated drumlin');
      expect(degraded).toBe(true);
      expect(hits.map(({ title }) => title)).toEqual(['Drumlin']);
      expect((await chunks('elongated hill', { mode: 'keyword' })).degraded).toBe(false);
      await expect(chunks('elongated hills', { mode: 'semantic' })).rejects.toMatchObject({
        code: 'embedder.unavailable',
      });
    } finally {
      isEmbedderUnavailable = false;
    }
  });

  it('stays within the folders of the token and excludes sensitive ones', async () => {
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

  it('does not show stale index entries of an item that left its folder', async () => {
    const moved = await item('Moved', ['fjord crossing']);
    const outside = seed('Moved', ['fjord crossing'], { inKb: false });
    await library.applyBeforeIndex(workspaceId, await library.placed(moved, outside));
    expect((await chunks('fjord crossing', { mode: 'keyword' })).hits).toEqual([]);
  });

  it('fills up with the next hits if an index still holds superseded, expired or removed entries', async () => {
    // Shorter texts rank higher by BM25, so stale entries rank before valid ones.
    const texts = (length: number) => [`sastrugi ${'and further words '.repeat(length)}`];
    const upheld = await item('Upheld', texts(0));
    const replaced = await item('Replaced', texts(1));
    const outdated = await item('Outdated', texts(2));
    const withdrawn = await item('Withdrawn', texts(3));
    await item('Valid', texts(4));
    const [itemId, byItemId] = [replaced.itemId, upheld.itemId];
    const superseded = { itemId, byItemId, updatedIds: [itemId], headId: byItemId, inKb: true };
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    for (const event of [
      { type: 'item.superseded', data: superseded } as const,
      await library.placed(outdated, seed('Outdated', texts(2), { expiresAt })),
      await library.placed(withdrawn, seed('Withdrawn', texts(3), { inKb: false })),
    ])
      await library.applyBeforeIndex(workspaceId, event);
    const found = async (limit: number) =>
      (await chunks('sastrugi', { mode: 'keyword', limit })).hits.map(({ title }) => title);
    expect(await found(1)).toEqual(['Upheld']);
    expect(await found(2)).toEqual(['Upheld', 'Valid']);
    expect(await found(5)).toEqual(['Upheld', 'Valid']);
  });

  it('reports stale if the projection has not reached the position that the caller has seen', async () => {
    await library.checkpoint('library', 7);
    const at = (position: number) =>
      ask('chunks.search', { query: 'x', mode: 'keyword', limit: 1, explain: false }, admin, position);
    expect((await at(7)).stale).toBe(false);
    expect((await at(8)).stale).toBe(true);
  });
});

describe('a database restored to a state before something was forgotten', () => {
  it('[N-59] is not read until ingest has removed the forgotten content again', async () => {
    const [receiptId, itemId] = [randomUUID(), randomUUID()];
    const last = await new ForgetLedger(nats).add([
      { receiptId, workspaceId, itemId, chunkId: null, confirmationId: null },
    ]);
    const connections = await openConnections({ database: { url: library.url } });
    const restarted = openReaders(nats, connections, library.vault, createMetrics(), {
      ...NO_CANDIDATES,
      ...{ budgetMb: 0, oversizedWorkspaces: 0 },
    });
    const logger = createLogger({ name: 'search', level: 'silent', format: 'json' });
    const controller = new SearchController(restarted, new Responder(logger, createMetrics()));
    const answer = async (type: QueryType, data: object): Promise<unknown> => {
      const request = { id: randomUUID(), correlationId: 'test', principal: admin, data };
      const context = new NatsContext([querySubject(type), undefined]);
      return JSON.parse(await controller.answer(Buffer.from(JSON.stringify(request)), context));
    };
    try {
      expect(await answer('item.get', { itemId })).toMatchObject({ error: { code: 'projection.unavailable' } });
      expect(await answer('search.check', {})).toMatchObject({ ok: { ready: false } });
      await library.checkpoint(LEDGER_CHECKPOINT, last);
      expect(await answer('item.get', { itemId })).toMatchObject({ error: { code: 'item.not_found' } });
      expect(await answer('search.check', {})).toMatchObject({ ok: { ready: true } });
    } finally {
      await closeConnections(connections);
    }
  });
});

describe('items.search', () => {
  const items = (query: string, more: Partial<QueryData<'items.search'>> = {}, principal = admin) => {
    const filter = { tags: [], includeSuperseded: false, includeExpired: false };
    const data = { query, limit: 10, ...filter, minScore: 0, efSearch: 64, explain: true, ...more };
    return ask('items.search', data, principal);
  };

  it('[D-34] returns items by their best chunk, fused by RRF over three legs', async () => {
    const { itemId } = await item('Tarn', ['about sheep', 'mountain lake water', 'about goats'], { tags: ['hills'] });
    const { hits, degraded } = await items('mountain lake');
    const hit = hits.find((found) => found.itemId === itemId)!;
    expect(degraded).toBe(false);
    expect(hits.filter((found) => found.itemId === itemId)).toHaveLength(1);
    expect(hit).toMatchObject({ tags: ['hills'], confidence: 80, supersededById: null, hasWords: true });
    const raw = hit.explain!.legs.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / (60 + rank)), 0);
    expect(hit.rawScore).toBeCloseTo(raw, 12);
    expect(hit.score).toBeCloseTo(raw / (3 / 61), 12);
  });

  it('[D-33] finds an item by a part of its title alone', async () => {
    const { itemId } = await item('Bergschrund crevasse', ['text without the word'], { chunks: [{ text: 'plain' }] });
    expect((await items('gschru')).hits.map((hit) => hit.itemId)).toContain(itemId);
  });

  it('[D-29] applies minScore before the limit, and a first rank in all legs scores 1', async () => {
    const { itemId } = await item('varve', ['varve varve']);
    for (let i = 0; i < 5; i++) await item(`Varve ${i}`, ['a varve of clay']);
    const all = (await items('varve', { limit: 50 })).hits;
    expect(all[0]).toMatchObject({ itemId, score: 1 });
    expect((await items('varve', { minScore: 1 })).hits.map((hit) => hit.itemId)).toEqual([itemId]);
    const bound = all[3]!.score;
    const above = all.filter(({ score }) => score >= bound).map((hit) => hit.itemId);
    expect((await items('varve', { minScore: bound, limit: 50 })).hits.map((hit) => hit.itemId)).toEqual(above);
    expect((await items('varve', { minScore: bound, limit: 2 })).hits).toHaveLength(2);
  });

  describe('for an entry of several chunks', () => {
    const LENGTH = 300;
    const part = (word: string): string => `${word} ${'filler '.repeat(100)}`.slice(0, LENGTH);
    const textOf = async (query: string, itemId: string) => {
      const hit = (await items(query, { limit: 50 })).hits.find((found) => found.itemId === itemId)!;
      return { text: hit.text, hasWords: hit.hasWords };
    };

    it('[D-36] shows the text around its first match, with enough on either side to be centred', async () => {
      const parts = ['alpha', 'beta', 'ogive', 'ogive ogive ogive', 'delta', 'omega'].map(part);
      const { itemId } = await item('Bands', parts);
      const { text, hasWords } = await textOf('ogive', itemId);
      expect(hasWords).toBe(true);
      expect(parts.join('')).toContain(text);
      expect(text).toBe(parts[1]!.slice(-240) + parts[2]! + parts[3]!.slice(0, 240));
    });

    it('[D-36] does not treat the title as a match in every chunk', async () => {
      const parts = ['alpha', 'beta', 'nunatak'].map(part);
      const { itemId } = await item('All about the nunatak', parts);
      expect((await textOf('nunatak', itemId)).text).toContain('nunatak');
    });

    it('shows the beginning if only the title or only the meaning matches', async () => {
      const parts = ['firn', 'beta', 'cirque'].map(part);
      const { itemId } = await item('Bergwind', parts);
      expect(await textOf('rgwi', itemId)).toEqual({ text: parts[0]! + parts[1]!.slice(0, 240), hasWords: true });
      expect(await textOf('cirque unheard', itemId)).toEqual({
        text: parts[0]! + parts[1]!.slice(0, 240),
        hasWords: false,
      });
    });

    it('shows the beginning of the remaining text if its first chunks are forgotten', async () => {
      const { itemId, chunkIds } = await item('Polynya', ['alpha', 'beta', 'gamma', 'delta', 'omega'].map(part));
      for (const chunkId of chunkIds.slice(0, 3)) {
        const data = { chunkId, itemId, folderId, receiptId: randomUUID() };
        await library.apply(workspaceId, { type: 'chunk.forgotten', data });
      }
      expect((await textOf('polynya', itemId)).text.startsWith('delta')).toBe(true);
    });

    it('[D-36] extends a short last chunk with text from the chunks before it', async () => {
      const parts = [part('alpha'), part('beta'), 'x '.repeat(20), 'sastrugi'];
      const { itemId } = await item('Snow', parts);
      expect((await textOf('sastrugi', itemId)).text).toBe(`${parts.slice(0, 3).join('').slice(-240)}sastrugi`);
    });
  });

  it('is not crowded out by one long entry, in any leg', async () => {
    const long = await item(
      'Ablation',
      Array.from({ length: 130 }, (_, i) => `ablation zone number ${i}`),
    );
    const short = await Promise.all(
      ['one', 'two', 'three'].map((name) => item(name, [`ablation zone of glacier ${name}`])),
    );
    const { hits } = await items('ablation zone', { limit: 4 });
    expect(new Set(hits.map((hit) => hit.itemId))).toEqual(new Set([long, ...short].map(({ itemId }) => itemId)));
    const legsOf = (itemId: string) => hits.find((hit) => hit.itemId === itemId)!.explain!.legs;
    for (const { itemId } of short) {
      const ranks = legsOf(itemId).filter(({ leg }) => leg !== 'title');
      expect(ranks.map(({ rank }) => rank)).not.toContain(null);
    }
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

  it('names the replacement of a hit only to a reader who may see it', async () => {
    const [other, secret] = [
      await library.folder({ workspaceId }),
      await library.folder({ workspaceId, tier: 'sensitive' }),
    ];
    const replacedBy = async (more: object) => {
      const head = (await item('Bergschrund head', ['x'], more)).itemId;
      return { head, old: (await item('Bergschrund old', ['bergschrund gap'], { supersededBy: head })).itemId };
    };
    const [near, far] = [await replacedBy({}), await replacedBy({ folderId: other })];
    const [hidden, outside] = [await replacedBy({ folderId: secret }), await replacedBy({ inKb: false })];
    const seen = async (principal: Principal) => {
      const { hits } = await items('bergschrund gap', { includeSuperseded: true, limit: 50 }, principal);
      const found = new Map(hits.map((hit) => [hit.itemId, hit.supersededById]));
      return [near, far, hidden, outside].map(({ old }) => found.get(old));
    };
    const scoped: Principal = { ...admin, isUnscoped: false, folderIds: [folderId, secret] };
    expect(await seen(admin)).toEqual([near.head, far.head, null, null]);
    expect(await seen(scoped)).toEqual([near.head, null, null, null]);
  });

  it('[D-34] reports degraded if the vector leg is missing, and counts it as 0 of its third', async () => {
    isEmbedderUnavailable = true;
    try {
      const { hits, degraded } = await items('lake water');
      expect(degraded).toBe(true);
      expect(hits[0]!.title).toBe('Tarn');
      for (const { score, rawScore, explain } of hits) {
        const raw = explain!.legs.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / (60 + rank)), 0);
        expect(explain!.legs.find(({ leg }) => leg === 'vector')).toMatchObject({ rank: null, contribution: 0 });
        expect(rawScore).toBeCloseTo(raw, 12);
        expect(score).toBeCloseTo(raw / (3 / 61), 12);
      }
      expect((await items('varve unseen', { minScore: 0.7 })).hits).toEqual([]);
    } finally {
      isEmbedderUnavailable = false;
    }
  });
});

describe('status', () => {
  it('shows how far each projection is behind its stream', async () => {
    const { items } = await ask('projections.get', {});
    expect(items).toEqual([
      { name: 'library', version: 1, stream: OPLOG_STREAM, checkpoint: 7, head: 0, lagOps: 0, lagSeconds: 0 },
    ]);
  });

  it('lists the parts, and reports degraded while the embedder does not report its model', async () => {
    const { components, degraded } = await ask('status.get', {});
    expect(components.map(({ name, ok }) => [name, ok])).toEqual([
      ['nats', true],
      ['postgres', true],
      ['lexical', true],
      ['vectors', true],
      ['embedder', false],
      ['ingest', false],
    ]);
    expect(degraded).toBe(true);
  });

  it("reports ingest's answer about its keys, and ingest as unavailable when no one serves it", async () => {
    const ingest = async () => {
      const { components, keys } = await ask('status.get', {});
      return { ...components.find(({ name }) => name === 'ingest'), keys };
    };
    const keys = { kekId: '0a1b2c3d', rotation: 'done', checkedAt: '2026-11-16T00:00:00.000Z' } as const;
    const served = nats.subscribe(querySubject('ingest.get'), {
      callback: (_, message) => void message.respond(JSON.stringify({ ok: { keys } } satisfies Reply<IngestView>)),
    });
    await nats.flush();
    expect(await ingest()).toEqual({ name: 'ingest', ok: true, note: expect.stringContaining('can go'), keys });
    served.unsubscribe();
    await nats.flush();
    expect(await ingest()).toEqual({ name: 'ingest', ok: false, note: 'unavailable' });
  });

  it('shows the broker as not ok while ingest reports that it accepts no writes', async () => {
    const keys = { kekId: '0a1b2c3d', rotation: 'none', checkedAt: null } as const;
    const view: Reply<IngestView> = { ok: { keys, brokerProblem: 'the disk is full' } };
    const served = nats.subscribe(querySubject('ingest.get'), {
      callback: (_, message) => void message.respond(JSON.stringify(view)),
    });
    await nats.flush();
    const { components, degraded } = await ask('status.get', {});
    expect([components[0], degraded]).toMatchObject([{ name: 'nats', ok: false, note: 'the disk is full' }, true]);
    served.unsubscribe();
    await nats.flush();
  });

  it('answers a newer gateway that sends a field this version does not know', async () => {
    expect(await ask('status.get', { x: 1 } as never)).toMatchObject({ degraded: true });
  });
});

describe('the service', () => {
  it.each(SEARCH_QUERIES.map(({ type }) => [type]))('answers %s', async (type) => {
    const outcome = await ask(type, {}).then(
      () => 'ok',
      ({ code }: { code: string }) => code,
    );
    expect(['ok', 'input.invalid']).toContain(outcome);
  });

  it.each(['tokens.list', 'ops.list', 'op.get', 'projections.get', 'status.get'] as const)(
    'answers %s only to an admin of the whole workspace',
    async (type) => {
      const data = type === 'op.get' ? { opId: randomUUID() } : type.endsWith('.list') ? { limit: 1 } : {};
      const others: Principal[] = [
        { ...admin, scopes: ['read'] },
        { ...admin, isUnscoped: false, folderIds: [folderId] },
      ];
      for (const principal of others) {
        await expect(ask(type, data as never, principal)).rejects.toMatchObject({ code: 'scope.missing' });
      }
    },
  );
});
