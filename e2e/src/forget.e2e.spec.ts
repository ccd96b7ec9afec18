import { randomUUID, verify } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chunkText } from '@cairn/domain';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  callRpc,
  connect,
  embedded,
  ERAS,
  newToken,
  newWorkspace,
  rest,
  storeItem,
  type ToolClient,
} from './under-test.js';

let admin: string;
let agent: string;
let folderId: string;
let sensitiveId: string;

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  folderId = (await rest(admin, 'POST', '/folders', { slug: 'notes', name: 'Notes' })).body.id;
  const sensitive = { slug: 'private', name: 'Private', tier: 'sensitive' };
  sensitiveId = (await rest(admin, 'POST', '/folders', sensitive)).body.id;
  const scopes = ['read', 'write', 'memory:read', 'memory:write', 'memory:forget', 'knowledge:read', 'knowledge:write'];
  agent = await newToken(admin, { scopes, isUnscoped: false, folderIds: [folderId, sensitiveId] });
}, 60_000);

const word = (): string => `w${randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** A text of exactly this many chunks, with a unique word in each. */
const textOf = (chunks: number, words: readonly string[]): string => {
  const sentences = (i: number) =>
    Array.from({ length: 28 }, (_, n) => `Sentence ${n} of part ${i} is about the store.`);
  const paragraph = (i: number): string => [`This part says ${words[i]}.`, ...sentences(i)].join(' ');
  const text = words.map((_, i) => paragraph(i)).join('\n\n');
  if (chunkText(text).length !== chunks) throw new Error(`the text has ${chunkText(text).length} chunks`);
  return text;
};

const source = async (chunks: number, more: Record<string, unknown> = {}) => {
  const words = Array.from({ length: chunks }, word);
  const title = `About ${word()}`;
  const { id, chunkIds } = await storeItem(agent, { title, text: textOf(chunks, words), folderId, ...more });
  return { id, chunkIds, words, title };
};

/** The results of each way to search for a query, including by meaning. */
const hitsFor = async (query: string): Promise<any[]> => {
  const answers = await Promise.all(
    [
      ['search_knowledge_base', { query, mode: 'keyword' }],
      ['search_knowledge', { query }],
      ['recall', { query, minScore: 0 }],
    ].map(([name, args]) => callRpc(agent, name as string, args)),
  );
  return answers.flatMap(({ body }) => {
    const { hits, results } = body.result.structuredContent;
    return [...(hits ?? []), ...(results ?? [])];
  });
};

const found = async (query: string): Promise<string[]> =>
  (await hitsFor(query)).map((hit) => hit.itemId ?? hit.sourceId ?? hit.id);

const until = async (isSo: () => Promise<boolean>, ms = 60_000): Promise<void> => {
  for (const end = Date.now() + ms; !(await isSo()); await delay(100))
    if (Date.now() > end) throw new Error('it did not come true');
};

const NOTHING_DELETED = { deleted: false, chunksRemoved: 0, sourceRemoved: false };

describe.each(ERAS)('forget in the %s', (era) => {
  let client: ToolClient;
  beforeAll(async () => {
    client = await connect(agent, era);
  });
  afterAll(() => client.close());

  it('[N-62] [N-56] [N-58] removes a source of seven chunks, and reports for {sourceId} what was removed', async () => {
    const { id, words, title } = await source(7);
    expect(await found(words[3]!)).toContain(id);
    const { structuredContent, isError } = await client.call('forget', { sourceId: id });
    expect(isError).toBeFalsy();
    expect(structuredContent).toEqual({
      deleted: true,
      chunksRemoved: 7,
      sourceRemoved: true,
      position: expect.any(Number),
    });
    for (const query of [words[0]!, words[6]!, title]) expect(await found(query)).not.toContain(id);
  });

  it('[N-58] reports on a second call, for a source and for a chunk, that nothing was deleted, and writes nothing', async () => {
    const { id, chunkIds } = await source(2);
    for (const args of [{ chunkId: chunkIds[0] }, { sourceId: id }]) {
      expect((await client.call('forget', args)).structuredContent['deleted']).toBe(true);
      const before = (await rest(admin, 'GET', '/ops?kind=forget')).body.items[0].position;
      const { structuredContent, isError } = await client.call('forget', args);
      expect([isError ?? false, structuredContent]).toEqual([false, NOTHING_DELETED]);
      expect((await rest(admin, 'GET', '/ops?kind=forget')).body.items[0].position).toBe(before);
    }
    const [gone] = (await rest(admin, 'GET', `/ops?itemId=${id}&kind=forget`)).body.items;
    expect(gone.type).toBe('item.forgotten');
  });

  it('[N-57] requires at least one of the two ids', async () => {
    const { isError, structuredContent } = await client.call('forget', {});
    expect([isError, structuredContent['code']]).toEqual([true, 'input.invalid']);
  });
});

describe('a forgotten source', () => {
  it('[N-59] is no longer in any answer: search, item, list, resource, REST', async () => {
    const { id, words, title } = await source(2);
    await embedded(agent, id);
    await callRpc(agent, 'forget', { sourceId: id });
    for (const query of [...words, title]) expect(await found(query)).not.toContain(id);
    const { result, error } = (await callRpc(agent, 'get_item', { item_id: id })).body;
    expect([result?.isError ?? true, JSON.stringify(result ?? error)]).toEqual([
      true,
      expect.stringContaining('no such item'),
    ]);
    const recent = await callRpc(agent, 'list_recent', { limit: 100 });
    expect(JSON.stringify(recent.body)).not.toContain(id);
    const client = await connect(agent);
    await expect(client.read(`drobek://knowledge/${id}`)).rejects.toThrow();
    await client.close();
    expect((await rest(agent, 'GET', `/items/${id}`)).status).toBe(404);
    expect((await rest(agent, 'PATCH', `/items/${id}`, { title: 'x' })).status).toBe(404);
  });

  it('[N-59] [N-68] is in the op-log as a forget op without content, and its earlier ops show none', async () => {
    const { id, words, title } = await source(2);
    await rest(agent, 'PATCH', `/items/${id}`, { title: `${title} again` });
    await callRpc(agent, 'forget', { sourceId: id });
    const { body } = await rest(admin, 'GET', `/ops?itemId=${id}`);
    const ops = body.items.filter((op: any) => op.type !== 'receipt.issued');
    expect(ops.map((op: any) => op.kind)).toEqual(['forget', 'reingest', 'ingest']);
    expect(ops[1].data).toEqual({ itemId: id, content: '<forgotten>' });
    expect(ops[2].data).toEqual({ itemId: id, content: '<forgotten>' });
    expect((await rest(admin, 'GET', `/ops/${ops[0].id}`)).body.data).toMatchObject({ itemId: id });
    for (const text of [...words, title]) expect(JSON.stringify(body)).not.toContain(text);
  });

  it('[N-59] is answered exactly like one that never existed', async () => {
    const { id, chunkIds } = await source(2);
    await rest(admin, 'DELETE', `/items/${id}`);
    const plain = (answer: unknown, asked: string): string =>
      JSON.stringify(answer)
        .replaceAll(asked, '<asked>')
        .replace(/(correlationId\W{1,3})[0-9a-f-]{36}/g, '$1<id>');
    for (const ask of [
      (itemId: string) => rest(admin, 'DELETE', `/items/${itemId}`),
      (itemId: string) => callRpc(agent, 'forget', { sourceId: itemId }),
      (itemId: string) => callRpc(agent, 'get_item', { item_id: itemId }),
      (itemId: string) => rest(admin, 'GET', `/items/${itemId}`),
    ]) {
      const never = randomUUID();
      expect(plain(await ask(id), id)).toBe(plain(await ask(never), never));
    }
    for (const ask of [
      (chunkId: string) => rest(admin, 'DELETE', `/chunks/${chunkId}`),
      (chunkId: string) => callRpc(agent, 'forget', { chunkId }),
    ]) {
      const [gone, never] = [chunkIds[0]!, randomUUID()];
      expect(plain(await ask(gone), gone)).toBe(plain(await ask(never), never));
    }
  });
});

describe('one chunk', () => {
  it('[N-54] [N-55] is removed, and its siblings stay', async () => {
    const { id, chunkIds, words } = await source(3);
    const { body } = await callRpc(agent, 'forget', { chunkId: chunkIds[1], sourceId: id });
    expect(body.result.structuredContent).toMatchObject({ deleted: true, chunksRemoved: 1, sourceRemoved: false });
    const hits = await hitsFor(words[1]!);
    for (const gone of [words[1], chunkIds[1]]) expect(JSON.stringify(hits)).not.toContain(gone);
    for (const query of [words[0]!, words[2]!]) expect(await found(query)).toContain(id);
    const item = (await rest(agent, 'GET', `/items/${id}`)).body;
    expect(item.chunks.map((chunk: any) => chunk.id)).toEqual([chunkIds[0], chunkIds[2]]);
    expect(item.content).not.toContain(words[1]);
    const stored = (await rest(admin, 'GET', `/ops?itemId=${id}&type=item.stored`)).body.items[0];
    expect(stored.data.chunks[1].text).toBe('<forgotten>');
    expect(stored.data.chunks[0].text).toContain(words[0]);
  });

  it('must belong to the source that is given with it', async () => {
    const [one, other] = [await source(2), await source(2)];
    const { body } = await callRpc(agent, 'forget', { chunkId: one.chunkIds[0], sourceId: other.id });
    expect(body.result.structuredContent).toEqual(NOTHING_DELETED);
    expect(await found(one.words[0]!)).toContain(one.id);
  });

  it('removes its source when it is the last', async () => {
    const { id, chunkIds } = await source(1);
    const { body } = await rest(admin, 'DELETE', `/chunks/${chunkIds[0]}`);
    expect(body).toMatchObject({ deleted: true, chunksRemoved: 1, sourceRemoved: true });
    expect((await rest(admin, 'GET', `/items/${id}`)).status).toBe(404);
  });
});

describe('in a sensitive folder', () => {
  it('[N-60] MCP refuses to forget a source or a chunk, and both still exist', async () => {
    const { id, chunkIds } = await storeItem(admin, { title: 'T', text: 'Private text.', folderId: sensitiveId });
    for (const args of [{ sourceId: id }, { chunkId: chunkIds[0] }]) {
      const { result } = (await callRpc(agent, 'forget', args)).body;
      expect([result.isError, result.structuredContent.code]).toEqual([true, 'forget.sensitive']);
      expect(result.structuredContent.message).toContain('use the console');
    }
    expect((await rest(admin, 'GET', `/items/${id}`)).body.chunks).toHaveLength(1);
  });

  it('[N-60] forget answers a caller that cannot see the folder as if the source did not exist', async () => {
    const { id } = await storeItem(admin, { title: 'T', text: 'Private text.', folderId: sensitiveId });
    const other = await newToken(admin, { scopes: ['memory:forget'], isUnscoped: false, folderIds: [folderId] });
    const { result } = (await callRpc(other, 'forget', { sourceId: id })).body;
    expect([result.isError ?? false, result.structuredContent]).toEqual([false, NOTHING_DELETED]);
  });

  it('[N-61] a person can forget it', async () => {
    const { id } = await storeItem(admin, { title: 'T', text: 'Private text.', folderId: sensitiveId });
    expect((await rest(admin, 'DELETE', `/items/${id}`)).body).toMatchObject({ deleted: true, sourceRemoved: true });
    expect((await rest(admin, 'GET', `/items/${id}`)).status).toBe(404);
  });
});

describe('the receipt', () => {
  it('[N-59] reports within a minute that keys, messages and rows are gone', async () => {
    const { id } = await source(2);
    const { receiptId } = (await rest(admin, 'DELETE', `/items/${id}`)).body;
    const receipt = async () => (await rest(admin, 'GET', `/receipts/${receiptId}`)).body;
    expect(await receipt()).toMatchObject({ id: receiptId, itemId: id, sourceRemoved: true, receipt: null });
    await until(async () => (await receipt()).stages.shredded !== null);
    const { stages } = await receipt();
    expect(Date.parse(stages.shredded) - Date.parse(stages.invisible)).toBeLessThan(60_000);
  }, 70_000);

  it('is signed with a key whose public part an agent may read', async () => {
    const { body } = await rest(agent, 'GET', '/receipts/key');
    expect(body).toMatchObject({ algorithm: 'Ed25519', keyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(verify(null, Buffer.from('x'), body.publicKey, Buffer.alloc(64))).toBe(false);
  });

  it('is the same for the same request sent twice', async () => {
    const { id } = await source(1);
    const key = { 'idempotency-key': randomUUID() };
    const first = await rest(admin, 'DELETE', `/items/${id}`, undefined, key);
    expect(await rest(admin, 'DELETE', `/items/${id}`, undefined, key)).toEqual(first);
  });
});
