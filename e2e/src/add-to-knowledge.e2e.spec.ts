import { beforeAll, describe, expect, it } from '@jest/globals';
import { callRpc, connect, embedded, ERAS, newToken, newWorkspace, rest, storeItem } from './under-test.js';

const TEXT = 'Barnacle geese winter on the mudflats of the northern estuary.';

/** Fewer than the tool's hourly cap per token. */
const CALLS_PER_TOKEN = 50;

describe('add_to_knowledge', () => {
  let admin: string;
  let token: string;
  let calls = 0;

  const nextToken = async (): Promise<string> => {
    if (calls++ % CALLS_PER_TOKEN === 0) token = await newToken(admin, { scopes: ['read', 'write'] });
    return token;
  };

  const add = async (args: Record<string, unknown>, by?: string): Promise<any> => {
    const { body } = await callRpc(by ?? (await nextToken()), 'add_to_knowledge', args);
    return body.result;
  };

  const newestOp = async (): Promise<string> => (await rest(admin, 'GET', '/ops?limit=1')).body.items[0].id;

  /** Expects a rejection as a tool error, and an unchanged log. */
  const refused = async (args: Record<string, unknown>): Promise<any> => {
    await nextToken();
    const before = await newestOp();
    const { isError, structuredContent } = await add(args, token);
    expect([JSON.stringify(args).slice(0, 200), isError]).toEqual([JSON.stringify(args).slice(0, 200), true]);
    expect(await newestOp()).toBe(before);
    return structuredContent;
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
  });

  it.each(ERAS)('keeps a text that search then finds by its words, in the %s', async (era) => {
    const own = await connect(await nextToken(), era);
    const marker = `marker${ERAS.indexOf(era)}`;
    const added = (await own.call('add_to_knowledge', { kind: 'text', text: `${TEXT} ${marker}` })).structuredContent;
    expect(added).toMatchObject({ title: `${TEXT} ${marker}`, chunks: 1, embeddingStatus: 'pending' });
    expect(added['position']).toBeGreaterThan(0);
    const found = await own.call('search_knowledge_base', { query: marker, mode: 'keyword' });
    expect(found.structuredContent['hits'][0].itemId).toBe(added['itemId']);
    expect(await own.read(added['resource'])).toBe(`${TEXT} ${marker}`);
    const { structuredContent } = await own.call('list_recent', { limit: 1 });
    expect(structuredContent['items'][0]).toMatchObject({ id: added['itemId'], kind: 'clip' });
    await own.close();
  });

  it('does not find a sensitive folder, not even for an admin, as if it did not exist', async () => {
    const { body: folder } = await rest(admin, 'POST', '/folders', {
      slug: 'secret',
      name: 'Secret',
      tier: 'sensitive',
    });
    const before = await newestOp();
    const answers = [folder.id, '00000000-0000-7000-8000-000000000000'].map(async (folder_id) => {
      const { isError, structuredContent } = await add({ kind: 'text', text: TEXT, folder_id }, admin);
      const { correlationId: _, ...refusal } = structuredContent;
      return { isError, ...refusal };
    });
    const [sensitive, unknown] = await Promise.all(answers);
    expect(sensitive).toMatchObject({ isError: true, code: 'folder.not_found', field: 'folder_id' });
    expect(sensitive).toEqual(unknown);
    expect(await newestOp()).toBe(before);
  });

  it('uses its own argument names in errors: folder_id and in_kb', async () => {
    const unknown = { kind: 'text', text: TEXT, folder_id: '00000000-0000-7000-8000-000000000000' };
    expect(await refused(unknown)).toMatchObject({ code: 'folder.not_found', field: 'folder_id' });
    const kbOnly = await newToken(admin, { scopes: ['write'], kbOnly: true });
    const { structuredContent } = await add({ kind: 'text', text: TEXT, in_kb: false }, kbOnly);
    expect(structuredContent).toMatchObject({
      code: 'item.kb_only',
      field: 'in_kb',
      message: expect.stringContaining('in the knowledge base only'),
    });
  });

  it('keeps a text that search then finds by its meaning', async () => {
    const { itemId } = (await add({ kind: 'text', text: TEXT, title: 'Geese' })).structuredContent;
    await embedded(admin, itemId);
    const own = await connect(admin);
    const query = 'where do birds spend the cold season';
    const { structuredContent } = await own.call('search_knowledge_base', { query, mode: 'semantic' });
    expect(structuredContent['hits'].slice(0, 4).map((hit: { itemId: string }) => hit.itemId)).toContain(itemId);
    await own.close();
  });

  it('records who added it, and keeps it out of search on request', async () => {
    const { itemId } = (await add({ kind: 'text', text: `${TEXT} aside`, in_kb: false })).structuredContent;
    const { body } = await rest(admin, 'GET', `/items/${itemId}`);
    expect(body).toMatchObject({ inKb: false, kind: 'clip', source: { kind: 'agent' }, title: `${TEXT} aside` });
    const own = await connect(admin);
    const { structuredContent } = await own.call('search_knowledge_base', { query: 'aside', mode: 'keyword' });
    expect(structuredContent['hits']).toEqual([]);
    await own.close();
  });

  it('files into the only folder of a token by default, and into a given folder within its scope', async () => {
    const newFolder = async (slug: string) => (await rest(admin, 'POST', '/folders', { slug, name: slug })).body.id;
    const [one, two] = [await newFolder('one'), await newFolder('two')];
    const single = await newToken(admin, { scopes: ['write'], isUnscoped: false, folderIds: [one] });
    const folderOf = async (args: object, by?: string): Promise<string> => {
      const { structuredContent } = await add({ kind: 'text', text: TEXT, ...args }, by);
      return (await rest(admin, 'GET', `/items/${structuredContent.itemId}`)).body.folderId;
    };
    expect(await folderOf({}, single)).toBe(one);
    expect(await folderOf({ folder_id: two })).toBe(two);
    const outside = await add({ kind: 'text', text: TEXT, folder_id: two }, single);
    expect(outside).toMatchObject({
      isError: true,
      structuredContent: { code: 'folder.not_found', field: 'folder_id', retry: false },
    });
  });

  it('names the field that a kbOnly token may not set, under the argument name of the tool', async () => {
    const inside = await newToken(admin, { scopes: ['write'], kbOnly: true });
    const { isError, structuredContent } = await add({ kind: 'text', text: TEXT, in_kb: false }, inside);
    expect([isError, structuredContent.code, structuredContent.field]).toEqual([true, 'item.kb_only', 'in_kb']);
    expect(structuredContent.message).not.toContain('inKb');
  });

  it.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'https://localhost:7480/metrics',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
    'https://192.168.1.1/admin',
    'https://[fd00:ec2::254]/',
    'https://printer.local/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://intranet/',
    'https://user:secret@example.com/',
    'https://example.com:8443/',
    'http://example.com/',
    'file:///etc/passwd',
    'not a url',
  ])('refuses to fetch %s, and stores nothing', async (url) => {
    const refusal = await refused({ kind: 'url', url, title: 'Inside' });
    expect(refusal).toMatchObject({ code: 'url.refused', retry: false, field: 'url' });
    expect(refusal.message).toContain('url');
    expect(JSON.stringify(refusal)).not.toMatch(/secret|127\.0|169\.254|7480|passwd/);
  });

  it.each<[string, Record<string, unknown>, string, number | undefined]>([
    ['no kind', { kind: undefined }, 'kind', undefined],
    ['another kind', { kind: 'file' }, 'kind', undefined],
    ['no text', { text: undefined }, 'text', undefined],
    ['a text of 19', { text: 'x'.repeat(19) }, 'text', 20],
    ['a text of 500001', { text: 'x'.repeat(500_001) }, 'text', 500_000],
    ['a blank text', { text: ' '.repeat(30) }, 'text', undefined],
    ['a list as text', { text: [TEXT] }, 'text', undefined],
    ['text null', { text: null }, 'text', undefined],
    ['a url beside a text', { url: 'https://example.com/' }, 'url', undefined],
    ['no url', { kind: 'url', text: undefined }, 'url', undefined],
    ['a text beside a url', { kind: 'url', url: 'https://example.com/' }, 'text', undefined],
    ['an empty url', { kind: 'url', text: undefined, url: '' }, 'url', 1],
    ['a url of 2001', { kind: 'url', text: undefined, url: `https://a.example/${'x'.repeat(2_000)}` }, 'url', 2_000],
    ['an object as url', { kind: 'url', text: undefined, url: {} }, 'url', undefined],
    ['an empty title', { title: '' }, 'title', 1],
    ['a title of 501', { title: 'x'.repeat(501) }, 'title', 500],
    ['a number as title', { title: 1 }, 'title', undefined],
    ['in_kb as a word', { in_kb: 'yes' }, 'in_kb', undefined],
    ['in_kb null', { in_kb: null }, 'in_kb', undefined],
    ['auto_transform true', { auto_transform: true }, 'auto_transform', undefined],
    ['auto_transform as a number', { auto_transform: 1 }, 'auto_transform', undefined],
    ['a folder that is not a uuid', { folder_id: 'inbox' }, 'folder_id', undefined],
    ['folder_id null', { folder_id: null }, 'folder_id', undefined],
    ['an unknown field', { surprise: 1 }, 'surprise', undefined],
  ])('rejects %s with the field and its limit, and stores nothing', async (_, args, field, limit) => {
    const refusal = await refused({ kind: 'text', text: TEXT, ...args });
    expect(refusal).toMatchObject({ code: 'input.invalid', retry: false, field, ...(limit ? { limit } : {}) });
    expect(refusal.message).toContain(field);
  });

  it('needs the write scope', async () => {
    const reader = await newToken(admin, { scopes: ['read'] });
    const { status } = await callRpc(reader, 'add_to_knowledge', { kind: 'text', text: TEXT });
    expect(status).toBe(403);
    const { id } = await storeItem(admin, { title: 'Last', text: 'x' });
    expect((await rest(admin, 'GET', '/items?limit=1')).body.items[0].id).toBe(id);
  });
});
