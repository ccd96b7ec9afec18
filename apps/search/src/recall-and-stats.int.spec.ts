import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  querySubject,
  systemPrincipal,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
} from '@cairn/contracts';
import { Requester, startService, type NatsConnection, type RunningService } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { ensureStreams } from '@cairn/op-log';
import { installRanking } from '@cairn/ranking';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { TestNats } from '@cairn/testing';
import { SearchModule } from './search.module.js';

const vector = new Float32Array(384).fill(1 / Math.sqrt(384));

let broker: TestNats;
let library: SeededLibrary;
let nats: NatsConnection;
let service: RunningService;
let isEmbedderUnavailable = false;

const ask = <T extends QueryType>(type: T, data: QueryData<T>, principal: Principal): Promise<QueryAnswer<T>> =>
  new Requester(nats).query(type, data, { principal, correlationId: 'test', id: randomUUID() });

/** The embedder: it gives every text the same meaning. */
const serve = (type: string, answer: object): void => {
  nats.subscribe(querySubject(type), {
    callback: (_, message) => {
      const error = { code: 'embedder.busy', kind: 'unavailable', message: 'busy', details: {} };
      message.respond(JSON.stringify(isEmbedderUnavailable ? { error } : { ok: answer }));
    },
  });
};

beforeAll(async () => {
  [broker, library] = await Promise.all([TestNats.start(), SeededLibrary.start()]);
  nats = await broker.connect();
  await ensureStreams(nats);
  await installRanking(library.pool);
  serve('query.embed', { model: TEST_MODEL, dims: 384, vector: Buffer.from(vector.buffer).toString('base64') });
  serve('embedder.get', { model: TEST_MODEL, label: 'Test model', dims: 384 });
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

const newWorkspace = async () => {
  const slug = `w-${randomUUID().slice(0, 8)}`;
  const workspaceId = await library.workspace(slug);
  const [open, closed, other] = [
    await library.folder({ workspaceId, slug: 'open', name: 'Open Notes', tier: 'public' }),
    await library.folder({ workspaceId, slug: 'closed', tier: 'sensitive' }),
    await library.folder({ workspaceId, slug: 'other' }),
  ];
  for (const folderId of [open, closed, other]) {
    const chunks = [1, 2].map((n) => ({ text: `part ${n}`, vector, tokens: 10 * n }));
    await library.item({ workspaceId, folderId, title: 'Two parts', chunks });
  }
  const admin = systemPrincipal(workspaceId);
  const scoped = (...folderIds: string[]): Principal => ({ ...admin, isUnscoped: false, folderIds, scopes: ['read'] });
  return { slug, open, closed, other, admin, scoped };
};

describe('chunks.recall', () => {
  const recall = (principal: Principal, more: Partial<QueryData<'chunks.recall'>> = {}) =>
    ask('chunks.recall', { query: 'q', topK: 8, minScore: 0.3, explain: false, ...more }, principal);
  const graphs = async (...asked: Parameters<typeof recall>) =>
    [...new Set((await recall(...asked)).results.map(({ graph }) => graph))].sort();

  it('[N-06] [N-13] stays within the given folders, the token’s own, and those that are not sensitive', async () => {
    const { open, closed, other, admin, scoped } = await newWorkspace();
    expect(await graphs(admin)).toEqual(['open', 'other']);
    expect(await graphs(admin, { graphs: ['open notes', 'closed'] })).toEqual(['open']);
    expect(await graphs(scoped(open, closed))).toEqual(['open']);
    expect(await graphs(scoped(open), { graphs: ['other'] })).toEqual([]);
    expect(await graphs(scoped(other), { graphs: ['other', 'nowhere'] })).toEqual(['other']);
    expect(await graphs(scoped())).toEqual([]);
  });

  it('reports that the embedder is unavailable, as a retryable error', async () => {
    const { admin } = await newWorkspace();
    isEmbedderUnavailable = true;
    try {
      await expect(recall(admin, { query: `new ${randomUUID()}` })).rejects.toMatchObject({
        code: 'embedder.unavailable',
        kind: 'unavailable',
      });
    } finally {
      isEmbedderUnavailable = false;
    }
  });

  it('rejects out-of-range values itself, for every caller', async () => {
    const { admin } = await newWorkspace();
    for (const wrong of [{ topK: 33 }, { minScore: 1.01 }, { graphs: [] }, { graphs: [''] }, { query: '' }])
      await expect(recall(admin, wrong)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('stats.get', () => {
  const stats = (principal: Principal) => ask('stats.get', {}, principal);
  const slugs = async (principal: Principal) => (await stats(principal)).folders.map(({ slug }) => slug);

  it('[N-64] [N-65] counts the folders that the caller may see, and no sensitive one', async () => {
    const { slug, open, closed, other, admin, scoped } = await newWorkspace();
    const folder = (folderId: string, name: string, tier: string) => {
      const placement = { workspaceId: admin.workspaceId, tier };
      return { folderId, placement, slug: name, tier, readme: '', items: 1, chunks: 2, tokens: 30 };
    };
    expect(await stats(admin)).toEqual({
      workspaceSlug: slug,
      folders: [folder(open, 'open', 'public'), folder(other, 'other', 'personal')],
      embeddingModel: 'Test model',
      embeddingDimensions: 384,
      databaseBytes: expect.any(Number),
    });
    expect(await slugs(scoped(other, closed))).toEqual(['other']);
    expect(await slugs(scoped(closed))).toEqual([]);
    expect(await slugs(scoped())).toEqual([]);
    expect(Number.isSafeInteger((await stats(admin)).databaseBytes)).toBe(true);
  });

  it('reads the beginning of a readme, one character more than is shown', async () => {
    const { open, admin } = await newWorkspace();
    const data = { folderId: open, readme: 'é'.repeat(8_000) };
    await library.apply(admin.workspaceId, { type: 'folder.configured', data });
    expect((await stats(admin)).folders.map(({ readme }) => readme)).toEqual(['é'.repeat(501), '']);
  });

  it('reads the counts that the folders keep, and counts no rows itself', async () => {
    const { open, admin } = await newWorkspace();
    const grown = [open, 20_000, 100_000, 2 ** 33];
    await library.pool.query(
      'update library.folders set item_count = $2, chunk_count = $3, token_count = $4 where id = $1',
      grown,
    );
    const [first] = (await stats(admin)).folders;
    expect(first).toMatchObject({ items: 20_000, chunks: 100_000, tokens: 2 ** 33 });
  });
});
