import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, ERAS, newToken, newWorkspace, rest, storeItem } from './under-test.js';

let admin: string;
const folders: Record<string, string> = {};

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  for (const [slug, tier] of [
    ['work', 'personal'],
    ['open', 'public'],
    ['vault', 'sensitive'],
  ] as const)
    folders[slug] = (await rest(admin, 'POST', '/folders', { slug, name: slug, tier })).body.id;
}, 60_000);

const stats = async (token: string, era?: string): Promise<any> => {
  const client = await connect(token, era);
  try {
    const { isError, structuredContent } = await client.call('stats', {});
    expect(isError ?? false).toBe(false);
    return structuredContent;
  } finally {
    await client.close();
  }
};

const graphOf = async (name: string, token = admin) =>
  (await stats(token)).graphs.find((graph: any) => graph.name === name);

const sum = (graphs: any[], field: string): number => graphs.reduce((total, graph) => total + graph[field], 0);

describe.each(ERAS)('stats in the %s', (era) => {
  it('[N-02] [N-64] [N-65] [N-66] returns exactly the shape of its spec', async () => {
    const answer = await stats(admin, era);
    expect(answer).toEqual({
      cortexPath: expect.stringMatching(/^cairn:\/\/workspace\/e2e-[a-z0-9-]+$/),
      graphs: ['inbox', 'open', 'work'].map((name) => ({
        name,
        tier: name === 'open' ? 'public' : 'personal',
        sources: expect.any(Number),
        chunks: expect.any(Number),
        estimatedTokens: expect.any(Number),
      })),
      totalSources: sum(answer.graphs, 'sources'),
      totalChunks: sum(answer.graphs, 'chunks'),
      embeddingModel: expect.stringMatching(/\w+/),
      embeddingDimensions: 384,
      cortexDbSizeBytes: expect.any(Number),
    });
    expect(Number.isSafeInteger(answer.cortexDbSizeBytes) && answer.cortexDbSizeBytes > 0).toBe(true);
    expect(JSON.stringify(answer)).not.toMatch(/"\/|[A-Z]:\\\\/);
  });

  it('[N-63] rejects any field, and names it', async () => {
    const client = await connect(admin, era);
    const { isError, structuredContent } = await client.call('stats', { verbose: true });
    await client.close();
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ field: 'verbose', retry: false });
  });
});

describe('stats', () => {
  it('[N-65] [N-67] reflect stores, moves, removals and returns at once', async () => {
    const text = 'A sentence that is about nothing at all. '.repeat(300);
    const [work, open] = [await graphOf('work'), await graphOf('open')];
    const { id, chunkIds } = await storeItem(admin, { title: 'Long', text, folderId: folders['work'] });
    expect(chunkIds.length).toBeGreaterThan(1);
    const stored = await graphOf('work');
    expect(stored).toMatchObject({ sources: work.sources + 1, chunks: work.chunks + chunkIds.length });
    expect(stored.estimatedTokens).toBeGreaterThan(work.estimatedTokens);
    await rest(admin, 'PATCH', `/items/${id}`, { folderId: folders['open'] });
    expect(await graphOf('work')).toEqual(work);
    expect(await graphOf('open')).toMatchObject({ sources: open.sources + 1, chunks: open.chunks + chunkIds.length });
    await rest(admin, 'PATCH', `/items/${id}`, { inKb: false });
    expect(await graphOf('open')).toEqual(open);
    await rest(admin, 'PATCH', `/items/${id}`, { inKb: true, folderId: folders['work'] });
    expect(await graphOf('work')).toEqual(stored);
    const all = await stats(admin);
    expect([all.totalSources, all.totalChunks]).toEqual([sum(all.graphs, 'sources'), sum(all.graphs, 'chunks')]);
  });

  it('return the readmes of the token’s folders, and that of a sensitive one to no tool', async () => {
    const word = 'quillwort';
    for (const slug of ['open', 'work', 'vault'])
      await rest(admin, 'PATCH', `/folders/${folders[slug]}`, { readme: `What ${slug} holds: ${word}` });
    const readmes = async (token: string) => (await stats(token)).graphs.map(({ name, readme }: any) => [name, readme]);
    expect(await readmes(admin)).toEqual([
      ['inbox', undefined],
      ['open', `What open holds: ${word}`],
      ['work', `What work holds: ${word}`],
    ]);
    const grant = { scopes: ['memory:read'], isUnscoped: false, folderIds: [folders['open'], folders['vault']] };
    expect(await readmes(await newToken(admin, grant))).toEqual([['open', `What open holds: ${word}`]]);
    await rest(admin, 'PATCH', `/folders/${folders['open']}`, { readme: '' });
    expect((await graphOf('open')).readme).toBeUndefined();
  });

  it('[N-03] count the folders of the token, and a sensitive one for no token', async () => {
    await storeItem(admin, { title: 'Secret', text: 'Secret.', folderId: folders['vault'] });
    const grant = { scopes: ['memory:read'], isUnscoped: false, folderIds: [folders['open'], folders['vault']] };
    const own = await stats(await newToken(admin, grant));
    expect(own.graphs.map(({ name }: any) => name)).toEqual(['open']);
    expect(own.totalSources).toBe(own.graphs[0].sources);
    expect(JSON.stringify([own, await stats(admin)])).not.toContain('vault');
  });
});
