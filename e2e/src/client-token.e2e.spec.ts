import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newestOp } from './knowledge.js';
import { connect, ERAS, newToken, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

type Args = Record<string, unknown>;

describe.each(ERAS)('a clientToken in the %s', (era) => {
  let admin: string;
  let client: ToolClient;

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    const scopes = ['read', 'write', 'memory:read', 'memory:write', 'memory:forget', 'knowledge:write', 'graph:write'];
    client = await connect(await newToken(admin, { scopes }), era);
  });
  afterAll(() => client.close());

  const correctionId = async (): Promise<string> => {
    const { chunkIds } = await storeItem(admin, { title: 'Item', text: 'An old text.' });
    const proposal = 'replace old with new';
    return (await client.call('correct', { chunkId: chunkIds[0], proposal })).structuredContent['correctionId'];
  };
  const itemId = async (): Promise<string> => (await storeItem(admin, { title: 'Item', text: 'Some text.' })).id;

  /** A tool, its arguments, and different arguments for the same tool. */
  const CALLS: Record<string, () => Promise<readonly [tool: string, args: Args, others: Args]>> = {
    store_knowledge: () =>
      Promise.resolve(['store_knowledge', { title: 'One', body: 'One.' }, { title: 'One', body: 'Two.' }]),
    remember: () => Promise.resolve(['remember', { text: 'One.' }, { text: 'One.', label: 'Another label' }]),
    'remember under an unknown name': () =>
      Promise.resolve([
        'remember',
        { text: 'One.', target_engram: 'Zanzibar' },
        { text: 'Two.', target_engram: 'Zanzibar' },
      ]),
    commit_to_folio: () =>
      Promise.resolve([
        'commit_to_folio',
        { folioName: 'Inbox', content: 'One.', extraMetadata: { mood: 'calm' } },
        { folioName: 'Inbox', content: 'One.' },
      ]),
    apply: async () => ['apply', { correctionId: await correctionId() }, { correctionId: await correctionId() }],
    forget: async () => ['forget', { sourceId: await itemId() }, { sourceId: await itemId() }],
  };

  it.each(Object.keys(CALLS))(
    'gives one answer and one write, and is rejected with anything else: %s',
    async (name) => {
      const [tool, args, others] = await CALLS[name]!();
      const clientToken = randomUUID();
      const call = async (more: Args) => {
        const { isError = false, structuredContent } = await client.call(tool, { ...more, clientToken });
        const { correlationId: _, message, newEmbeddingComputed: __, ...content } = structuredContent;
        return { isError, message: message?.replace(/\[correlationId.*/, ''), ...content };
      };
      const [first, ...further] = await Promise.all(Array.from({ length: 4 }, () => call(args)));
      const position = await newestOp(admin);
      for (const answer of [...further, await call(args)]) expect(answer).toEqual(first);
      expect(await newestOp(admin)).toBe(position);
      expect(await call(others)).toMatchObject({ isError: true, code: 'idempotency.key_reused', field: 'clientToken' });
      expect(await newestOp(admin)).toBe(position);
    },
  );

  it('creates one confirmation', async () => {
    const args = { text: 'Where to?', target_engram: 'Timbuktu', clientToken: randomUUID() };
    const [one, two] = [await client.call('remember', args), await client.call('remember', args)];
    expect(one.structuredContent).toMatchObject({ code: 'engram.not_found', engrams: ['Inbox'] });
    expect(two.structuredContent['confirmationId']).toBe(one.structuredContent['confirmationId']);
    const { items } = (await rest(admin, 'GET', '/confirmations?status=pending')).body;
    expect(items.filter(({ suggestedName }: any) => suggestedName === 'Timbuktu')).toHaveLength(1);
  });

  it('of a rejected commit can be used again, since nothing was stored under it', async () => {
    const clientToken = randomUUID();
    const call = (folioName: string) => client.call('commit_to_folio', { folioName, content: 'x', clientToken });
    expect((await call('Zanzibar')).structuredContent).toMatchObject({ code: 'engram.not_found', retry: false });
    expect((await call('Inbox')).structuredContent).toMatchObject({ folio: 'Inbox' });
  });

  it('makes a second forget return the answer of the first; without it, nothing is left to forget', async () => {
    const args = { sourceId: await itemId() };
    const clientToken = randomUUID();
    const first = await client.call('forget', { ...args, clientToken });
    expect(first.structuredContent).toMatchObject({ deleted: true, chunksRemoved: 1, sourceRemoved: true });
    expect((await client.call('forget', args)).structuredContent).toMatchObject({ deleted: false });
    expect(await client.call('forget', { ...args, clientToken })).toEqual(first);
  });

  it('must be a uuid', async () => {
    for (const [tool, args] of [
      ['remember', { text: 'x' }],
      ['commit_to_folio', { folioName: 'Inbox', content: 'x' }],
      ['apply', { correctionId: randomUUID() }],
      ['forget', { sourceId: randomUUID() }],
    ] as const) {
      const { structuredContent } = await client.call(tool, { ...args, clientToken: 'again' });
      expect(structuredContent).toMatchObject({ code: 'input.invalid', field: 'clientToken' });
    }
  });
});
