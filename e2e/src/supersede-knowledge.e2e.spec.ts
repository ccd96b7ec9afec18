import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Knowledge, newestOp, newWord } from './knowledge.js';
import { connect, ERAS, newToken, newWorkspace, rest, type ToolClient } from './under-test.js';

const SCOPES = ['knowledge:read', 'knowledge:write', 'read'];

describe.each(ERAS)('supersede_knowledge in the %s', (era) => {
  let admin: string;
  let client: ToolClient;
  let reader: ToolClient;
  let knowledge: Knowledge;

  const agent = async (agentId: string, grant: Record<string, unknown> = {}): Promise<Knowledge> =>
    new Knowledge(await connect(await newToken(admin, { agentId, scopes: SCOPES, ...grant }), era));
  const headOf = async (id: string): Promise<string | null> =>
    (await rest(admin, 'GET', `/items/${id}`)).body.supersededById;
  const refused = async (oldId: string, newId: string, by = knowledge): Promise<Record<string, any>> => {
    const before = await newestOp(admin);
    const refusal = await by.refusal('supersede_knowledge', { oldId, newId });
    expect(await newestOp(admin)).toBe(before);
    return refusal;
  };
  /** The entries that a search shows; others may be near in meaning. */
  const found = async (word: string, ids: readonly string[]): Promise<string[]> =>
    (await knowledge.found(word)).filter((id) => ids.includes(id));
  /** By words only, with a token that has written nothing. */
  const foundByAnother = async (word: string): Promise<string[]> => {
    const { structuredContent } = await reader.call('search_knowledge_base', {
      query: word,
      mode: 'keyword',
      limit: 20,
    });
    return structuredContent['hits'].map(({ itemId }: { itemId: string }) => itemId);
  };
  /** Entries about one new word. */
  const entries = async (count: number): Promise<{ word: string; ids: string[] }> => {
    const word = newWord();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await knowledge.store(`Entry ${i}`, `${word} in version ${i}`));
    return { word, ids };
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    client = await connect(await newToken(admin, { agentId: 'agent-1', scopes: SCOPES }), era);
    reader = await connect(await newToken(admin, { scopes: ['read'] }), era);
    knowledge = new Knowledge(client);
  });

  afterAll(() => Promise.all([client.close(), reader.close()]));

  it('[D-39] [D-40] marks the old entry and points it to the new one; a second call returns the same', async () => {
    const { word, ids } = await entries(2);
    const [old, fresh] = ids as [string, string];
    const answer = await knowledge.supersede(old, fresh);
    expect(answer).toEqual({ oldId: old, newId: fresh, supersededById: fresh, position: expect.any(Number) });
    expect(await foundByAnother(word)).toEqual([fresh]);
    expect([await headOf(old), await headOf(fresh)]).toEqual([fresh, null]);
    expect(await found(word, ids)).toEqual([fresh]);
    const before = await newestOp(admin);
    expect(await knowledge.supersede(old.toUpperCase(), fresh)).toMatchObject({ oldId: old, supersededById: fresh });
    expect(await newestOp(admin)).toBe(before);
  });

  it('marks the old entry as superseded wherever it is read, and names the new one if the caller may see it', async () => {
    const folder = (await rest(admin, 'POST', '/folders', { slug: `old-${newWord()}`, name: 'Old' })).body.id;
    const scope = { isUnscoped: false, folderIds: [folder] };
    const inside = await agent('agent-1', scope);
    const old = await inside.store('Old', 'the old text');
    const fresh = await knowledge.store('Fresh', 'the new text');
    await knowledge.supersede(old, fresh);
    const seenBy = async (token: string) => {
      const own = await connect(token, era);
      const { content, structuredContent } = await own.call('get_item', { item_id: old });
      const { superseded, supersededById } = (await rest(token, 'GET', `/items/${old}`)).body;
      expect(structuredContent).toMatchObject({ content: 'the old text', superseded, supersededById });
      const texts = [content[0]!.text, await own.read(`drobek://knowledge/${old}`)];
      await own.close();
      return { superseded, supersededById, texts };
    };
    const all = await seenBy(await newToken(admin, { scopes: SCOPES }));
    expect(all).toMatchObject({ superseded: true, supersededById: fresh });
    const some = await seenBy(await newToken(admin, { scopes: SCOPES, ...scope }));
    expect(some).toMatchObject({ superseded: true, supersededById: null });
    for (const text of all.texts) expect(text).toContain(fresh);
    for (const text of some.texts) {
      expect(text).toContain('superseded');
      expect(text).not.toContain(fresh);
    }
    await inside.close();
  });

  it('[D-41] [D-42] requires an agent that owns one of the two entries', async () => {
    const { ids } = await entries(3);
    const [theirs, another] = ids as [string, string];
    const stranger = await agent('agent-2');
    const own = await stranger.store('Own', 'of agent-2');
    expect(await refused(theirs, another, stranger)).toMatchObject({ code: 'knowledge.not_owner', retry: false });
    expect(await stranger.supersede(theirs, own)).toMatchObject({ supersededById: own });
    expect(await stranger.supersede(own, another)).toMatchObject({ supersededById: another });
    const issued = await rest(admin, 'POST', '/tokens', {
      name: 'no',
      isUnscoped: true,
      scopes: ['knowledge:write_others'],
    });
    expect([issued.status, issued.body.error.field]).toEqual([400, 'scopes[0]']);
    await stranger.close();
  });

  it('[D-43] rejects circles of one, two, three and many entries', async () => {
    const { ids } = await entries(8);
    expect(await refused(ids[0]!, ids[0]!)).toMatchObject({ code: 'knowledge.cycle' });
    for (let i = 0; i + 1 < ids.length; i++) {
      await knowledge.supersede(ids[i]!, ids[i + 1]!);
      expect(await refused(ids[i + 1]!, ids[0]!)).toMatchObject({ code: 'knowledge.cycle', field: 'newId' });
      expect(await refused(ids[i + 1]!, ids[i]!)).toMatchObject({ code: 'knowledge.cycle', field: 'newId' });
    }
  });

  it('[D-44] [D-45] [D-46] leads every entry to the end of its chain, at any depth', async () => {
    const { word, ids } = await entries(5);
    const [a, b, c, d, e] = ids as [string, string, string, string, string];
    await knowledge.supersede(a, b);
    await knowledge.supersede(b, c);
    expect(await Promise.all([a, b, c].map(headOf))).toEqual([c, c, null]);
    await knowledge.supersede(d, e);
    // Joins the two chains: one op leads a, b and c to e.
    const { position } = await knowledge.supersede(c, d);
    expect(await Promise.all([a, b, c, d, e].map(headOf))).toEqual([e, e, e, e, null]);
    const ops = (await rest(admin, 'GET', '/ops?limit=1')).body.items;
    expect(ops[0]).toMatchObject({ position, type: 'item.superseded' });
    expect(new Set(ops[0].data.updatedIds)).toEqual(new Set([a, b, c]));
    expect(await found(word, ids)).toEqual([e]);
    const all = (await knowledge.search(word, { includeSuperseded: true, limit: 50 })).filter(({ id }) =>
      ids.includes(id),
    );
    expect(new Map(all.map((hit) => [hit.id, hit.supersededById]))).toEqual(
      new Map([
        [a, e],
        [b, e],
        [c, e],
        [d, e],
        [e, null],
      ]),
    );
    expect(await foundByAnother(word)).toEqual([e]);
  });

  it('leads a previously superseded entry to its new replacement', async () => {
    const { word, ids } = await entries(4);
    const [older, old, first, second] = ids as [string, string, string, string];
    await knowledge.supersede(older, old);
    await knowledge.supersede(old, first);
    expect(await knowledge.supersede(old, second)).toMatchObject({ supersededById: second });
    expect(await Promise.all([older, old, first].map(headOf))).toEqual([second, second, null]);
    expect(new Set(await found(word, ids))).toEqual(new Set([first, second]));
  });

  it('[D-44] [D-45] shows the older entry again when the newest is forgotten, and skips a forgotten one in between', async () => {
    const { word, ids } = await entries(4);
    const [a, b, c, d] = ids as [string, string, string, string];
    for (const [old, fresh] of [
      [a, b],
      [b, c],
      [c, d],
    ] as const)
      await knowledge.supersede(old, fresh);
    expect((await rest(admin, 'DELETE', `/items/${b}`)).status).toBe(200);
    expect(await Promise.all([a, c, d].map(headOf))).toEqual([d, d, null]);
    expect(await foundByAnother(word)).toEqual([d]);
    expect((await rest(admin, 'DELETE', `/items/${d}`)).status).toBe(200);
    expect(await Promise.all([a, c].map(headOf))).toEqual([c, null]);
    expect(await foundByAnother(word)).toEqual([c]);
    expect(await found(word, ids)).toEqual([c]);
    expect((await rest(admin, 'DELETE', `/items/${c}`)).status).toBe(200);
    expect(await foundByAnother(word)).toEqual([a]);
    expect(await found(word, ids)).toEqual([a]);
  });

  it('does not find entries that are unknown, out of scope or of another workspace', async () => {
    const { ids } = await entries(2);
    const [mine, other] = ids as [string, string];
    const folder = (await rest(admin, 'POST', '/folders', { slug: `own-${newWord()}`, name: 'Own' })).body.id;
    const scoped = await agent('agent-1', { isUnscoped: false, folderIds: [folder] });
    const inFolder = await scoped.store('Inside', 'the folder');
    const elsewhere = new Knowledge(await connect((await newWorkspace()).token, era));
    const foreign = await elsewhere.store('Foreign', 'entry');
    const unknown = randomUUID();
    const missing = { code: 'item.not_found', retry: false };
    expect(await refused(unknown, mine)).toMatchObject({ ...missing, field: 'oldId' });
    expect(await refused(mine, unknown)).toMatchObject({ ...missing, field: 'newId' });
    expect(await refused(mine, foreign)).toMatchObject({ ...missing, field: 'newId' });
    expect(await refused(mine, inFolder, scoped)).toMatchObject({ ...missing, field: 'oldId' });
    expect(await refused(inFolder, other, scoped)).toMatchObject({ ...missing, field: 'newId' });
    expect(await refused(mine, foreign, elsewhere)).toMatchObject({ ...missing, field: 'oldId' });
    await Promise.all([scoped.close(), elsewhere.close()]);
  });

  it('[D-43] [D-44] stays free of circles under 50 concurrent supersessions', async () => {
    const { word, ids } = await entries(10);
    const pick = (): string => ids[Math.floor(Math.random() * ids.length)]!;
    const second = await agent('agent-1');
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) =>
        (i % 2 === 0 ? knowledge : second).call('supersede_knowledge', { oldId: pick(), newId: pick() }),
      ),
    );
    const refusals = answers.filter(({ isError }) => isError).map(({ structuredContent }) => structuredContent['code']);
    expect([...new Set(refusals)].filter((code) => code !== 'knowledge.cycle')).toEqual([]);
    const heads = new Map(await Promise.all(ids.map(async (id) => [id, await headOf(id)] as const)));
    const live = ids.filter((id) => heads.get(id) === null);
    expect(live.length).toBeGreaterThan(0);
    for (const head of heads.values()) if (head !== null) expect(live).toContain(head);
    expect(new Set(await found(word, ids))).toEqual(new Set(live));
    await second.close();
  });
});
