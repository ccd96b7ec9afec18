import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLIENT_TOKEN_LIFE_MS, type LoggedCommandType, type Principal } from '@cairn/contracts';
import { systemClock, systemIds } from '@cairn/kernel';
import { itemData } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';

let laterMs = 0;
let ingest: IngestUnderTest;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ clock: { now: () => systemClock.now() + laterMs } });
  admin = await ingest.workspace();
}, 60_000);
afterAll(() => ingest.stop());

/** A tool call, and one of the same tool with other content. */
interface Calls {
  readonly type: LoggedCommandType;
  readonly data: object;
  readonly otherType?: LoggedCommandType;
  readonly other: object;
}

const stored = (text: string) => ingest.command(admin, 'item.store', itemData({ text }));

const proposed = async (text: string): Promise<string> => {
  const { chunkIds } = await stored(text);
  const change = { chunkId: chunkIds[0]!, instruction: 'replace old with new' };
  return (await ingest.propose(admin, change)).correctionId;
};

const memory = (text: string, name?: string) => ({ text, label: 'A label', kind: 'clip', ...(name && { name }) });

const CALLS: Record<string, () => Promise<Calls>> = {
  store_knowledge: () =>
    Promise.resolve({ type: 'item.store', data: itemData({ text: 'One.' }), other: itemData({ text: 'Two.' }) }),
  remember: () => Promise.resolve({ type: 'item.remember', data: memory('One.'), other: memory('Two.') }),
  'remember under a name that no folder has': () =>
    Promise.resolve({
      type: 'item.remember',
      data: memory('One.', systemIds.next()),
      other: memory('Two.', systemIds.next()),
    }),
  'remember under a name that is close to one': () =>
    Promise.resolve({ type: 'item.remember', data: memory('One.', 'Inbux'), other: memory('Two.', 'Inbux') }),
  apply: async () => ({
    type: 'chunk.correct',
    data: { correctionId: await proposed('An old one.') },
    other: { correctionId: await proposed('An old two.') },
  }),
  'forget a source': async () => ({
    type: 'item.forget',
    data: { itemId: (await stored('One.')).itemId, surface: 'mcp' },
    other: { itemId: (await stored('Two.')).itemId, surface: 'mcp' },
  }),
  'forget a chunk, then a source': async () => ({
    type: 'chunk.forget',
    data: { chunkId: (await stored('One.')).chunkIds[0]!, surface: 'mcp' },
    otherType: 'item.forget',
    other: { itemId: (await stored('Two.')).itemId, surface: 'mcp' },
  }),
};

const send = (type: LoggedCommandType, data: object, clientToken: string, who = admin): Promise<unknown> =>
  ingest.command(who, type, { ...data, clientToken } as never);

const REUSED = { code: 'idempotency.key_reused', details: { field: 'clientToken' } };

describe('a clientToken', () => {
  it.each(Object.entries(CALLS))(
    'is executed once within its window, however often it is sent: %s',
    async (_, calls) => {
      const { type, data, otherType = type, other } = await calls();
      const [clientToken, head] = [systemIds.next(), await ingest.log.head()];
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(type, data, clientToken)));
      expect(await ingest.log.head()).toBe((answers[0] as { position: number }).position);
      expect(await ingest.log.head()).toBeGreaterThan(head);
      laterMs += CLIENT_TOKEN_LIFE_MS - 20_000;
      expect(await send(type, data, clientToken)).toEqual(answers[0]);
      expect(await send(type, data, clientToken, { ...admin, tokenId: systemIds.next() })).toEqual(answers[0]);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      await expect(send(otherType, other, clientToken)).rejects.toMatchObject(REUSED);
      laterMs += 20_000;
      expect(await send(otherType, other, clientToken)).toBeDefined();
    },
    30_000,
  );

  it.each(['store_knowledge', 'remember'])('[D-15] may store again later, and for another agent: %s', async (tool) => {
    const { type, data } = await CALLS[tool]!();
    const clientToken = systemIds.next();
    const idOf = async (who = admin) => ((await send(type, data, clientToken, who)) as { itemId: string }).itemId;
    const first = await idOf();
    const others = await idOf({ ...admin, agentId: 'agent-b' });
    laterMs += CLIENT_TOKEN_LIFE_MS;
    expect(new Set([first, others, await idOf()]).size).toBe(3);
  });

  it('is valid for one tool in one workspace', async () => {
    const [clientToken, elsewhere] = [systemIds.next(), await ingest.workspace()];
    await send('item.store', itemData({ text: 'One.' }), clientToken);
    expect(await send('item.remember', memory('Two.'), clientToken)).toMatchObject({ outcome: 'stored' });
    expect(await send('item.store', itemData({ text: 'Three.' }), clientToken, elsewhere)).toBeDefined();
  });

  it('creates one confirmation, and repeats the same question', async () => {
    const [clientToken, name] = [systemIds.next(), `Inbox ${systemIds.next().slice(-6)}`];
    const ask = () => send('item.remember', memory('Once.', name), clientToken);
    const first = await ask();
    expect(first).toMatchObject({ outcome: 'waiting', reason: 'close', candidates: [{ slug: 'inbox' }] });
    const { confirmationId } = first as { confirmationId: string };
    await ingest.command(admin, 'confirmation.resolve', { confirmationId, action: 'dismiss' });
    expect(await ask()).toEqual(first);
  });

  it('counts towards a quota only once', async () => {
    const [who, clientToken] = [await ingest.workspace(), systemIds.next()];
    await ingest.command(who, 'quota.set', { name: 'knowledge_stored', limit: 1 });
    const data = itemData({ kind: 'knowledge' });
    expect(await send('item.store', data, clientToken, who)).toEqual(await send('item.store', data, clientToken, who));
  });

  it.each(['store_knowledge', 'remember'])('does not bring back forgotten content: %s', async (tool) => {
    const { type, data } = await CALLS[tool]!();
    const clientToken = systemIds.next();
    const { itemId } = (await send(type, data, clientToken)) as { itemId: string };
    await ingest.command(admin, 'item.forget', { itemId, surface: 'mcp' });
    const head = await ingest.log.head();
    await expect(send(type, data, clientToken)).rejects.toMatchObject(REUSED);
    expect(await ingest.log.head()).toBe(head);
  });

  it('is recognised after the library is rebuilt from the log', async () => {
    const [clientToken, forgotten] = [systemIds.next(), systemIds.next()];
    const { type, data, other } = await CALLS['remember']!();
    const first = await send(type, data, clientToken);
    const { itemId } = (await send(type, data, forgotten)) as { itemId: string };
    await ingest.command(admin, 'item.forget', { itemId, surface: 'mcp' });
    const { rows } = await ingest.pool.query<{ erased: string[] }>(
      'select erased from library.forgets where item_id = $1',
      [itemId],
    );
    await ingest.log.erase(rows[0]!.erased.map(Number));
    await ingest.pool.query(`update cairn.projections set layout = 'older' where name = 'library'`);
    await ingest.removeReplica(ingest.replicas[0]!);
    await ingest.addReplica();
    expect(await send(type, data, clientToken)).toEqual(first);
    for (const [sent, token] of [
      [other, clientToken],
      [data, forgotten],
    ] as const)
      await expect(send(type, sent, token)).rejects.toMatchObject(REUSED);
  }, 60_000);
});

describe('a repeat under another token of the agent', () => {
  let folderId: string;
  let other: Principal;

  const newFolder = async (slug: string): Promise<string> => {
    const folder = { slug, name: slug, tier: 'personal', maxTokensPerRecall: null, readme: '' } as const;
    return (await ingest.command(admin, 'folder.create', { folderId: systemIds.next(), ...folder })).folderId;
  };

  const confinedTo = (id: string): Principal => ({
    ...admin,
    tokenId: systemIds.next(),
    scopes: ['write', 'memory:write', 'memory:forget', 'knowledge:write'],
    isUnscoped: false,
    folderIds: [id],
  });

  beforeAll(async () => {
    folderId = await newFolder(`seen-${systemIds.next()}`);
    other = confinedTo(await newFolder(`other-${systemIds.next()}`));
  });

  const storedIn = (text: string) => ingest.command(admin, 'item.store', itemData({ text, folderId }));

  const NOT_FOUND: Record<string, () => Promise<readonly [LoggedCommandType, object, string]>> = {
    'forget a source': async () => [
      'item.forget',
      { itemId: (await storedIn('One.')).itemId, surface: 'mcp' },
      'item.not_found',
    ],
    'forget a chunk': async () => [
      'chunk.forget',
      { chunkId: (await storedIn('One.')).chunkIds[0]!, surface: 'mcp' },
      'chunk.not_found',
    ],
    apply: async () => {
      const change = { chunkId: (await storedIn('An old one.')).chunkIds[0]!, instruction: 'replace old with new' };
      const { correctionId } = await ingest.propose(admin, change);
      return ['chunk.correct', { correctionId }, 'correction.not_found'];
    },
    store_knowledge: () =>
      Promise.resolve(['item.store', itemData({ folderId, surface: 'mcp' }), 'idempotency.key_reused']),
    remember: () => Promise.resolve(['item.remember', memory('One.'), 'idempotency.key_reused']),
  };

  it.each(Object.keys(NOT_FOUND))('is not answered if that token may not see the result: %s', async (tool) => {
    const [type, data, code] = await NOT_FOUND[tool]!();
    const clientToken = systemIds.next();
    const first = await send(type, data, clientToken, confinedTo(folderId));
    const head = await ingest.log.head();
    const refused = await send(type, data, clientToken, other).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code });
    const { message, details } = refused as { message: string; details: object };
    for (const id of Object.values(first as object)
      .flat()
      .filter((value) => typeof value === 'string'))
      expect(message + JSON.stringify(details)).not.toContain(id);
    expect(await ingest.log.head()).toBe(head);
    expect(await send(type, data, clientToken, confinedTo(folderId))).toEqual(first);
  });

  it('is rejected with the same message as other content', async () => {
    const [clientToken, data] = [systemIds.next(), memory('One.')];
    await send('item.remember', data, clientToken, confinedTo(folderId));
    const [unseen, different] = await Promise.all(
      [data, memory('Two.')].map((sent) =>
        send('item.remember', sent, clientToken, other).catch(({ code, message, details }) => ({
          code,
          message,
          details,
        })),
      ),
    );
    expect(unseen).toEqual(different);
  });

  it('asks where a memory belongs, based on the folders of that token', async () => {
    const [clientToken, data] = [systemIds.next(), memory('One.', 'Seem')];
    const close = await newFolder('seem-one');
    const first = await send('item.remember', data, clientToken, confinedTo(close));
    expect(first).toMatchObject({ outcome: 'waiting', reason: 'close', candidates: [{ slug: 'seem-one' }] });
    expect(await send('item.remember', data, clientToken, other)).toMatchObject({ reason: 'none', candidates: [] });
  });
});

it('a repeated Idempotency-Key does not show a token where its item has been moved', async () => {
  const target = {
    slug: 'moved-to',
    name: 'Moved to',
    tier: 'personal',
    maxTokensPerRecall: null,
    readme: '',
  } as const;
  const { folderId } = await ingest.command(admin, 'folder.create', { folderId: systemIds.next(), ...target });
  const from = { ...target, slug: 'moved-from' };
  const { folderId: own } = await ingest.command(admin, 'folder.create', { folderId: systemIds.next(), ...from });
  const agent: Principal = {
    ...admin,
    tokenId: systemIds.next(),
    scopes: ['memory:write'],
    isUnscoped: false,
    folderIds: [own],
  };
  const [key, data] = [systemIds.next(), { text: 'One.', label: 'x', kind: 'clip' as const }];
  const first = await ingest.command(agent, 'item.remember', data, key);
  expect(first).toMatchObject({ outcome: 'stored', folder: 'moved-from' });
  const { itemId } = first as { itemId: string };
  await ingest.command(admin, 'item.update', { itemId, folderId });
  await expect(ingest.command(agent, 'item.remember', data, key)).rejects.toMatchObject({
    code: 'idempotency.key_reused',
    details: { field: 'Idempotency-Key' },
  });
});
