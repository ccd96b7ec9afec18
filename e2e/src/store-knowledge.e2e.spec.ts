import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Knowledge, newestOp } from './knowledge.js';
import { connect, ERAS, newToken, newWorkspace, rest, type ToolClient } from './under-test.js';

const SCOPES = ['knowledge:read', 'knowledge:write'];

describe.each(ERAS)('store_knowledge in the %s', (era) => {
  let admin: string;
  let client: ToolClient;
  let knowledge: Knowledge;

  const item = async (id: string) => (await rest(admin, 'GET', `/items/${id}`)).body;
  const countOf = async (): Promise<number> => (await rest(admin, 'GET', '/items?limit=100')).body.items.length;
  const refused = async (args: Record<string, unknown>): Promise<Record<string, any>> => {
    const before = await newestOp(admin);
    const refusal = await knowledge.refusal('store_knowledge', { title: 'x', body: 'x', ...args });
    expect(await newestOp(admin)).toBe(before);
    return refusal;
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    client = await connect(await newToken(admin, { agentId: 'agent-1', scopes: SCOPES }), era);
    knowledge = new Knowledge(client);
  });

  afterAll(() => client.close());

  it.each([
    ['[D-05]', 'title', 200],
    ['[D-06]', 'body', 32_000],
  ])('%s counts the characters of %s, not their bytes: %i emoji fit, one more is rejected', async (_, field, max) => {
    const args = { title: 'x', body: 'x', [field]: '😀'.repeat(max) };
    const stored = await item(await knowledge.store(args.title, args.body));
    expect(field === 'title' ? stored.title : stored.content).toBe('😀'.repeat(max));
    expect(await refused({ [field]: '😀'.repeat(max + 1) })).toMatchObject({
      code: 'input.invalid',
      field,
      limit: max,
      message: `${field} must have at most ${max} characters, has ${max + 1}`,
    });
  });

  it('[D-07] [D-08] lowercases tags, counts equal ones once, and names the rejected one', async () => {
    const id = await knowledge.store('x', 'x', { tags: ['Foo', 'bar-2', 'FOO'] });
    expect((await item(id)).tags).toEqual(['foo', 'bar-2']);
    for (const tag of ['foo bar', 'foo_bar', '-a', 'a-', 'a--b', 'ä', '', 'a'.repeat(65), 'a\n']) {
      expect(await refused({ tags: ['ok', tag] })).toMatchObject({ code: 'input.invalid', field: 'tags[1]' });
    }
  });

  it('[D-12] adds an edge to the task, readable on the item', async () => {
    for (const kind of ['references', 'produced']) {
      const id = await knowledge.store('Linked', 'to a task', { taskRef: { taskId: 'T-"17"/ä', kind } });
      expect((await item(id)).links).toEqual([{ type: 'task_knowledge', taskId: 'T-"17"/ä', kind }]);
    }
    expect((await item(await knowledge.store('Free', 'of tasks'))).links).toEqual([]);
  });

  it('explains to a token of several folders without the default one what to do, and names no field that does not exist', async () => {
    const folders = [];
    for (const name of ['One', 'Two']) {
      const slug = `f-${randomUUID().slice(0, 8)}`;
      folders.push((await rest(admin, 'POST', '/folders', { slug, name })).body.id);
    }
    const scoped = await connect(await newToken(admin, { scopes: SCOPES, isUnscoped: false, folderIds: folders }), era);
    const { structuredContent } = await scoped.call('store_knowledge', { title: 'x', body: 'x' });
    await scoped.close();
    expect(structuredContent).not.toHaveProperty('field');
    expect(structuredContent).toMatchObject({ code: 'folder.required', retry: false });
    for (const way of ['a tool or route that takes a folder', 'ask an admin for a token'])
      expect(structuredContent['message']).toContain(way);
  });

  it('[D-14] collapses 20 concurrent calls with one clientToken into one entry and one answer', async () => {
    const before = await countOf();
    const args = { title: 'Once', body: 'Stored once', clientToken: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call('store_knowledge', args)));
    const upper = await client.call('store_knowledge', { ...args, clientToken: args.clientToken.toUpperCase() });
    for (const answer of [...answers, upper]) {
      expect(answer.isError ?? false).toBe(false);
      expect(answer.structuredContent).toEqual(answers[0]!.structuredContent);
    }
    expect(await countOf()).toBe(before + 1);
    expect(await refused({ clientToken: args.clientToken, title: 'Once', body: 'Other' })).toMatchObject({
      code: 'idempotency.key_reused',
      field: 'clientToken',
      retry: false,
    });
  });

  it('[D-14] gives the same answer although expiresAt has passed since the first call', async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const more = { expiresAt, clientToken: randomUUID() };
    const id = await knowledge.store('Brief', 'brief', more);
    const hasPassed = async (): Promise<boolean> => !(await knowledge.found('brief')).includes(id);
    while (!(await hasPassed())) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await knowledge.store('Brief', 'brief', more)).toBe(id);
    expect(await refused({ title: 'Brief', body: 'brief', expiresAt })).toMatchObject({
      code: 'knowledge.expires_in_past',
      field: 'expiresAt',
    });
  });

  it('[D-15] [D-18] separates clientTokens by agent, not by token of the same agent', async () => {
    const clientToken = randomUUID();
    const tokens = ['agent-1', 'agent-2'].map((agentId) => newToken(admin, { agentId, scopes: SCOPES }));
    const [same, other] = await Promise.all(
      tokens.map(async (token) => new Knowledge(await connect(await token, era))),
    );
    const first = await knowledge.store('Twice', 'Stored twice', { clientToken });
    expect(await same!.store('Twice', 'Stored twice', { clientToken })).toBe(first);
    const second = await other!.store('Twice', 'Stored twice', { clientToken });
    expect(second).not.toBe(first);
    expect((await item(first)).createdByAgentId).toBe('agent-1');
    expect((await item(second)).createdByAgentId).toBe('agent-2');
    await Promise.all([same!.close(), other!.close()]);
  });

  it.each(['createdByAgentId', 'created_by_agent_id', 'agentId', 'source', 'workspaceId', 'folderId', 'inKb', 'id'])(
    '[D-17] [D-18] rejects the field %s, which a caller may not set',
    async (field) => {
      expect(await refused({ [field]: 'spoofed' })).toMatchObject({ field, message: expect.stringContaining(field) });
    },
  );
});
